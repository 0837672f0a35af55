/** Shared by the tests of the link that verifies an address. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  requestedMailCount,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

export const test = testWithStack();

export const visitor = (stack: TestStack, userAgent?: string) => createVisitor(stack.url, userAgent);

export const verify = (browser: ReturnType<typeof visitor>, token: unknown, password?: string) =>
  browser.post(paths.verifyEmail, { token, ...(password === undefined ? {} : { password }) });

export const signIn = (stack: TestStack, email: string, password = testPassword) =>
  visitor(stack).post(paths.session, { email, password });

/** Defines the test of a verification and a concurrent sign-up, in so many rounds. */
export function testConcurrentSignUp(rounds: number): void {
  test('a verification and a concurrent newer sign-up never mix their passwords', async ({ stack }) => {
    for (let round = 0; round < rounds; round += 1) {
      const email = newAddress();
      const owner = visitor(stack);
      await owner.post(paths.accounts, signUpForm({ email, password: 'Owner-Horse-9' }));
      const { token } = await tokenFromMail(stack, email, 'verifyEmail');
      // The link is used while the other sign-up is being processed.
      const newerSignUp = visitor(stack).post(
        paths.accounts,
        signUpForm({ email, password: 'Stranger-Horse-8' }),
      );
      await expect.poll(() => requestedMailCount(stack.db, 'verification', email), { interval: 1 }).toBe(2);
      const answer = await verify(owner, token);
      await newerSignUp;
      const user = (await stack.models.users.findOne({ email }).lean())!;
      if (answer.status === 200) {
        expect(user.sign_up).toBeNull();
        expect(await signIn(stack, email, 'Owner-Horse-9')).toMatchObject({ status: 200 });
        expectError(await signIn(stack, email, 'Stranger-Horse-8'), 'BAD_CREDENTIALS');
      } else {
        expectError(answer, 'TOKEN_INVALID');
        expectError(await signIn(stack, email, 'Stranger-Horse-8'), 'EMAIL_UNVERIFIED');
      }
    }
  });
}
