/** No new password contains the address or the product's name, wherever it is set. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call, post } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

const message = "Please choose a password without your email address or the name 'Packshot' in it.";

test('it is refused at sign-up, and in each place that sets a new one', async ({ stack }) => {
  const { email, ...rest } = signUpForm({ email: newAddress() });
  const bad = ['P4ckshot-Horse-7', `${email.split('@')[0]}-A1`];
  for (const password of bad) {
    const answer = await post(stack.url, paths.accounts, { ...rest, email, password });
    expectError(answer, 'PASSWORD_COMMON', { message });
  }
  expect(await stack.models.users.countDocuments({ email })).toBe(0);

  const seller = await stack.seller({ paid: false });
  const own = `${seller.email.split('@')[0]!.toUpperCase()}-a1`;
  const change = await call(seller, 'POST', paths.password, { password: testPassword, newPassword: own });
  expectError(change, 'PASSWORD_COMMON', { message });

  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: new Date(0) });
  const details = { email: seller.email, password: testPassword, newPassword: own };
  expectError(await post(stack.url, paths.session, details), 'PASSWORD_COMMON', { message });

  await post(stack.url, paths.passwordReset, { email: seller.email });
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  const set = (password: string) => post(stack.url, paths.confirmPasswordReset, { token, password });
  expectError(await set(own), 'PASSWORD_COMMON', { message });

  await call(seller, 'POST', paths.email, { email: newAddress(), password: testPassword });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'about to change' });
  const link = new URL(stack.mails.linkIn(mail, pages.undoEmail)).searchParams.get('token')!;
  const undo = await post(stack.url, paths.undoEmail, { token: link, password: own });
  expectError(undo, 'PASSWORD_COMMON', { message });
  expect((await set('Newer-Horse-8')).status).toBe(204);
});
