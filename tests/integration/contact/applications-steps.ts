/** Shared by the tests of applications. */
import { expect } from 'vitest';
import { type ErrorCode, paths } from '#contract';
import { pdf } from '#tests/support/cv-files.ts';
import { expectError } from '#tests/support/errors.ts';
import { multipart, type Part, type RawForm } from '#tests/support/multipart.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress } from '#tests/support/visitor.ts';

export const test = testWithStack({ workers: 0 });

test.beforeEach(async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'ok' });
  await stack.models.mails.deleteMany({});
});

export const cvPart = (value: Buffer, more: Partial<Part> = {}): Part => ({
  name: 'cv',
  fileName: 'My CV.pdf',
  type: 'application/pdf',
  value,
  ...more,
});

/** The parts of an application. @param changed text fields that differ; undefined leaves one out */
export function parts(
  cv: Part[],
  email = newAddress(),
  changed: Record<string, string | undefined> = {},
): Part[] {
  const fields = { position: 'product-designer', name: 'Ada Lovelace', email, message: 'Hello', ...changed };
  const text = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return [...text, ...cv];
}

export const send = (stack: TestStack, form: RawForm) =>
  createVisitor(stack.url).request(paths.applications, { method: 'POST', ...form });

export const outbox = (stack: TestStack) => stack.models.mails.find().lean();

export const cv = pdf();

export const withCv = (changed: Record<string, string | undefined>) =>
  multipart(parts([cvPart(cv)], undefined, changed));

export const wrongType = { field: 'cv', message: 'Please upload your CV as PDF, DOCX, ODT or DOC.' };

type Refused = [
  what: string,
  form: RawForm,
  code: ErrorCode,
  expected?: { field?: string; message?: string },
];

/** Defines the tests that these applications are refused and nothing is sent. */
export function testRefused(refused: Refused[]): void {
  test.for(refused)('%s is refused and nothing is sent', async ([, form, code, expected], { stack }) => {
    expectError(await send(stack, form), code, expected);
    expect(await outbox(stack)).toEqual([]);
  });
}
