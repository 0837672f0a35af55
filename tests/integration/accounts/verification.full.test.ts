/** The link that verifies an address: password attempts with it, and many concurrent sign-ups. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { resetSignInLimit, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';
import { test, testConcurrentSignUp, verify, visitor } from './verification-steps.ts';

test('password attempts with a link count as sign-in attempts', async ({ stack }) => {
  const form = signUpForm();
  await visitor(stack).post(paths.accounts, form);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  for (let attempt = 0; attempt < limits.lockOutFailures; attempt += 1) {
    if (attempt === limits.signInAttempts) {
      expect(await verify(visitor(stack), token, testPassword)).toMatchObject({
        status: 429,
        body: { error: { code: 'RATE_LIMITED' } },
      });
      await resetSignInLimit(stack.db);
    }
    expectError(await verify(visitor(stack), token, 'Wrong-Horse-7'), 'WRONG_PASSWORD');
  }
  await resetSignInLimit(stack.db);
  expectError(await verify(visitor(stack), token, testPassword), 'ACCOUNT_LOCKED');
});

testConcurrentSignUp(6);
