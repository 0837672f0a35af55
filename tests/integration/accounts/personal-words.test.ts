/** No new password may contain the email address or the name of the product. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call, post } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

const message = "Please choose a password without your email address or the name 'Packshot' in it.";

test('a password with personal words is refused at sign-up and wherever else a new one is set', async ({
  stack,
}) => {
  const { email, ...rest } = signUpForm({ email: newAddress() });
  const refused = ['P4ckshot-Horse-7', `${email.split('@')[0]}-A1`];
  for (const password of refused) {
    const answer = await post(stack.url, paths.accounts, { ...rest, email, password });
    expectError(answer, 'PASSWORD_COMMON', { message });
  }
  expect(await stack.models.users.countDocuments({ email })).toBe(0);

  const seller = await stack.seller({ paid: false });
  const withAddress = `${seller.email.split('@')[0]!.toUpperCase()}-a1`;
  const change = await call(seller, 'POST', paths.password, {
    password: testPassword,
    newPassword: withAddress,
  });
  expectError(change, 'PASSWORD_COMMON', { message });

  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: new Date(0) });
  const details = { email: seller.email, password: testPassword, newPassword: withAddress };
  expectError(await post(stack.url, paths.session, details), 'PASSWORD_COMMON', { message });

  await post(stack.url, paths.passwordReset, { email: seller.email });
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  const setPassword = (password: string) => post(stack.url, paths.confirmPasswordReset, { token, password });
  expectError(await setPassword(withAddress), 'PASSWORD_COMMON', { message });

  await call(seller, 'POST', paths.email, { email: newAddress(), password: testPassword });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'about to change' });
  const undoToken = new URL(stack.mails.linkIn(mail, pages.undoEmail)).searchParams.get('token')!;
  const undo = await post(stack.url, paths.undoEmail, { token: undoToken, password: withAddress });
  expectError(undo, 'PASSWORD_COMMON', { message });
  expect((await setPassword('Newer-Horse-8')).status).toBe(204);
});
