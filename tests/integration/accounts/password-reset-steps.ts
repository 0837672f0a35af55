/** Shared by the tests of password resets. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createVisitor, resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';

export const test = testWithSeller({}, { paid: false });

test.beforeEach(async ({ stack }) => {
  await resetSignInLimit(stack.db);
});

const post = (stack: TestStack, path: string, body: unknown) => createVisitor(stack.url).post(path, body);

export const requestReset = (stack: TestStack, email: string) => post(stack, paths.passwordReset, { email });

export const setPassword = (stack: TestStack, token: unknown, password = 'Newer-Horse-8') =>
  post(stack, paths.confirmPasswordReset, { token, password });

export const signIn = (stack: TestStack, email: string, password = testPassword) =>
  post(stack, paths.session, { email, password });

/** Requests a reset. @returns the token in the mail, the first one after the mail with the id `after` */
export async function requestToken(stack: TestStack, email: string, after?: number) {
  expect(await requestReset(stack, email)).toMatchObject({ status: 202, body: {} });
  return tokenFromMail(stack, email, 'resetPassword', after);
}

/** Defines the test of a reset and concurrent sign-ins, in so many rounds. */
export function testConcurrentSignIns(rounds: number): void {
  test('a reset ends the sessions of concurrent sign-ins with the old password', async ({ stack }) => {
    for (let round = 0; round < rounds; round += 1) {
      const seller = await stack.seller({ paid: false });
      const { token } = await requestToken(stack, seller.email);
      const [reset] = await Promise.all([
        setPassword(stack, token),
        signIn(stack, seller.email),
        signIn(stack, seller.email),
      ]);
      expect(reset.status).toBe(204);
      const sessions = await stack.models.sessions.find({ user_id: seller.id }).lean();
      expect(sessions, `round ${round}`).toEqual([]);
    }
  });
}
