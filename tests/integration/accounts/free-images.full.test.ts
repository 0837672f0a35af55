/** Free images: many submits at once, and an address that is confirmed by a password reset. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { testPassword } from '#tests/support/seller.ts';
import { createVisitor, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';
import { signInFrom, test, testConcurrentSubmits, three } from './free-images-steps.ts';

testConcurrentSubmits(30);

test('an address that is confirmed by a password reset gets them with the next sign-in', async ({
  stack,
}) => {
  const form = signUpForm();
  const visitor = createVisitor(stack.url);
  await visitor.post(paths.accounts, form);
  await visitor.post(paths.passwordReset, { email: form.email });
  const { token } = await tokenFromMail(stack, form.email, 'resetPassword');
  expect((await visitor.post(paths.confirmPasswordReset, { token, password: testPassword })).status).toBe(
    204,
  );
  expect(await signInFrom(stack.url, form.email)).toEqual(three);
});
