/** Whoever has the password cannot take an account over in silence, and cannot keep its owner out. */
import { expect } from 'vitest';
import { type ErrorReply, paths, type SessionReply } from '#contract';
import {
  anotherSession,
  call,
  codeOf,
  post,
  signIn,
  turnOnTwoFactor,
  twoFactorSeller,
} from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { resetMailLimit, tokenFromMail } from '#tests/support/visitor.ts';

// The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
const test = testWithStack({ settings: { TRUSTED_PROXIES: '1' } });

const newPassword = 'Newer-Horse-8';

async function resetPassword(stack: TestStack, email: string, password = newPassword) {
  await resetMailLimit(stack.db);
  await post(stack.url, paths.passwordReset, { email });
  const { token } = await tokenFromMail(stack, email, 'resetPassword');
  return post(stack.url, paths.confirmPasswordReset, { token, password });
}

test('a thief with the password leaves mails behind, and the owner gets the account back with a reset', async ({
  stack,
}) => {
  const owner = await stack.seller({ paid: false });
  const { email } = owner;
  // From another network, with the browser that the owner uses: nothing about the sign-in looks new.
  const browser = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await anotherSession(stack.url, owner, { ...browser, 'x-forwarded-for': '198.51.100.1' });
  const thief = await anotherSession(stack.url, owner, { ...browser, 'x-forwarded-for': '203.0.113.9' });

  const silence = { securityNotifications: false, activityLogging: false };
  expectError(await call(thief, 'PATCH', paths.settings, silence), 'PASSWORD_REQUIRED', {
    message: 'Please enter your password.',
  });
  expectError(
    await call(thief, 'PATCH', paths.settings, { ...silence, password: 'Wrong-Horse-7' }),
    'WRONG_PASSWORD',
  );
  const off = await call(thief, 'PATCH', paths.settings, { ...silence, password: testPassword });
  expect(off.status).toBe(200);
  const { secret } = await turnOnTwoFactor(thief);
  expect((await owner.request(paths.me)).status).toBe(401);
  expect((await call(thief, 'DELETE', paths.sessions)).status).toBe(204);
  for (const subject of [
    'Security emails were turned off',
    'The activity log was turned off',
    'Two-factor sign-in is on',
    'You were signed out everywhere',
  ]) {
    const mail = await stack.mails.waitForMail({ to: email, subject });
    expect(mail.text).toContain('/profile/security');
  }

  await post(stack.url, paths.passwordReset, { email });
  const { token, mail } = await tokenFromMail(stack, email, 'resetPassword');
  const { text } = await stack.mails.waitForMail({ to: email, subject: 'Choose a new password' });
  expect(text).toContain('added for two-factor sign-in in the last 7 days. A new password removes it');
  expect((await post(stack.url, paths.confirmPasswordReset, { token, password: newPassword })).status).toBe(
    204,
  );
  const told = await stack.mails.waitForMail({ to: email, subject: 'sign-in was turned off', after: mail });
  expect(told.text).toContain('in the last 7 days was removed');
  const back = await signIn(stack.url, { email, password: newPassword });
  expect([back.status, (back.body as SessionReply).user.twoFactorEnabled]).toEqual([200, false]);
  const late = await signIn(stack.url, { email, code: codeOf(secret, 1) });
  expectError(late as { status: number; body: ErrorReply; headers: Headers }, 'BAD_CREDENTIALS');
});

test('a reset leaves two-factor sign-in that has been on for a week, and says nothing about it', async ({
  stack,
}) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const { id, email } = seller;
  const since = new Date(Date.now() - 8 * 86_400_000);
  await stack.models.users.updateOne({ _id: id }, { $set: { 'two_factor.since': since } });
  expect((await resetPassword(stack, email)).status).toBe(204);
  const { text } = await stack.mails.waitForMail({ to: email, subject: 'Choose a new password' });
  expect(text).not.toContain('two-factor');
  expectError(await signIn(stack.url, { email, password: newPassword }), 'CODE_REQUIRED');
  const code = codeOf(secret, 1);
  expect((await signIn(stack.url, { email, password: newPassword, code })).status).toBe(200);
  expect(await stack.models.mails.countDocuments({ to: email, kind: 'twoFactorRemoved' })).toBe(0);
});
