/** Shared by the tests of the contact form. */
import { expect } from 'vitest';
import { type Contact, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import type { Answer } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress } from '#tests/support/visitor.ts';

export const test = testWithStack();

export const contact = (changed: Record<string, unknown> = {}): Contact => ({
  name: 'Ada Lovelace',
  email: newAddress(),
  subject: 'support',
  message: 'The shadow of my lamp is on the wrong side.',
  ...changed,
});

export const post = (
  stack: TestStack,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> => createVisitor(stack.url).post(paths.contact, body, headers);

type Invalid = [what: string, changed: Record<string, unknown>, field: string, message: string];

/** Defines the tests that messages with these changes are refused and nothing is sent. */
export function testInvalid(invalid: Invalid[]): void {
  test.for(invalid)('%s is refused and nothing is sent', async ([, changed, field, message], { stack }) => {
    const before = await stack.models.mails.countDocuments();
    expectError(await post(stack, contact(changed)), 'VALIDATION', { field, message });
    expect(await stack.models.mails.countDocuments()).toBe(before);
  });
}
