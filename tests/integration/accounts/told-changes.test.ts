/** Whoever has the password cannot take an account over in silence, and cannot keep its owner out. */
import { expect } from 'vitest';
import { type ErrorReply, paths, type SessionList, type SessionReply } from '#contract';
import { type ToldChange, toldChanges } from '#server/accounts/security-email.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { issueToken } from '#shared/data/account-tokens.ts';
import {
  anotherSession,
  call,
  codeOf,
  post,
  signIn,
  turnOnTwoFactor,
  twoFactorSeller,
} from '#tests/support/account.ts';
import { addPasskey } from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, resetMailLimit, tokenFromMail } from '#tests/support/visitor.ts';
import { confirmChange, undoChange, undoToken } from './takeover-steps.ts';

// The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
const test = testWithStack({ settings: { TRUSTED_PROXIES: '1' } });

const newPassword = 'Newer-Horse-8';

/** An account whose owner is told of a change, and what makes the change. */
interface Step {
  email: string;
  act(): Promise<{ status: number }>;
}

async function resetPassword(stack: TestStack, email: string, password = newPassword) {
  await resetMailLimit(stack.db);
  await post(stack.url, paths.passwordReset, { email });
  const { token } = await tokenFromMail(stack, email, 'resetPassword');
  return post(stack.url, paths.confirmPasswordReset, { token, password });
}

/** The new address of a change that was asked for. @returns the token in the mail to it */
async function askForChange(stack: TestStack, seller: Seller): Promise<string> {
  const email = newAddress();
  await call(seller, 'POST', paths.email, { email, password: testPassword });
  const { text } = await stack.mails.waitForMail({ to: email });
  return new URL(/https?:\S+token=\S+/.exec(text)![0]).searchParams.get('token')!;
}

const turnOff = (setting: string) => async (stack: TestStack) => {
  const seller = await stack.seller({ paid: false });
  const body = { [setting]: false, password: testPassword };
  return { email: seller.email, act: () => call(seller, 'PATCH', paths.settings, body) };
};

const withCode =
  (method: 'POST' | 'DELETE', path: string, recovery = false) =>
  async (stack: TestStack) => {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const code = recovery ? recoveryCodes[0]! : codeOf(secret, 1);
    return { email: seller.email, act: () => call(seller, method, path, { password: testPassword, code }) };
  };

/** How each change is made. */
const steps: Readonly<Record<ToldChange, (stack: TestStack) => Promise<Step>>> = {
  async 'two-factor-on'(stack) {
    const seller = await stack.seller({ paid: false });
    return { email: seller.email, act: () => turnOnTwoFactor(seller).then(() => ({ status: 200 })) };
  },
  'two-factor-off': withCode('DELETE', paths.twoFactor),
  async 'app-removed'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    await addPasskey(stack.url, seller, { code: codeOf(secret, 1) });
    const body = { password: testPassword, code: recoveryCodes[0]! };
    return { email: seller.email, act: () => call(seller, 'DELETE', paths.twoFactor, body) };
  },
  async 'passkey-added'(stack) {
    const seller = await stack.seller({ paid: false });
    return { email: seller.email, act: async () => (await addPasskey(stack.url, seller)).reply };
  },
  async 'passkey-removed'(stack) {
    const seller = await stack.seller({ paid: false });
    const { body } = (await addPasskey(stack.url, seller)).reply;
    const proof = { password: testPassword, code: body.recoveryCodes[0]! };
    const path = paths.passkey(body.passkey.id);
    return { email: seller.email, act: () => call(seller, 'DELETE', path, proof) };
  },
  async 'two-factor-removed'(stack) {
    const { seller } = await twoFactorSeller(stack);
    return { email: seller.email, act: () => resetPassword(stack, seller.email) };
  },
  async 'two-factor-removal-asked'(stack) {
    const [{ seller }, operator] = await Promise.all([twoFactorSeller(stack), operatorOf(stack)]);
    const path = paths.operatorSellerAction(seller.id, 'ask-two-factor-removal');
    return {
      email: seller.email,
      act: () => call(operator, 'POST', path, { reason: 'Showed a passport' }),
    };
  },
  'recovery-codes-made': withCode('POST', paths.recoveryCodes),
  'recovery-code-used': withCode('POST', paths.recoveryCodes, true),
  'security-emails-off': turnOff('securityNotifications'),
  'activity-log-off': turnOff('activityLogging'),
  async unlocked(stack) {
    const { id, email } = await stack.seller({ paid: false });
    const token = await issueToken(stack.db, { kind: 'unlock', sellerId: id, lock: 'any', lifeMs: 60_000 });
    return { email, act: () => post(stack.url, paths.unlock, { token }) };
  },
  async 'signed-out-everywhere'(stack) {
    const seller = await stack.seller({ paid: false });
    return { email: seller.email, act: () => call(seller, 'DELETE', paths.sessions) };
  },
  async 'session-ended'(stack) {
    const seller = await stack.seller({ paid: false });
    await anotherSession(stack.url, seller);
    const { sessions } = (await call<SessionList>(seller, 'GET', paths.sessions)).body;
    const { id } = sessions.find(({ current }) => !current)!;
    return { email: seller.email, act: () => call(seller, 'DELETE', paths.oneSession(id)) };
  },
  async 'password-changed'(stack) {
    const seller = await stack.seller({ paid: false });
    const body = { password: testPassword, newPassword };
    return { email: seller.email, act: () => call(seller, 'POST', paths.password, body) };
  },
  async 'password-reset'(stack) {
    const { email } = await stack.seller({ paid: false });
    return { email, act: () => resetPassword(stack, email) };
  },
  async 'email-change-asked'(stack) {
    const seller = await stack.seller({ paid: false });
    const body = { email: newAddress(), password: testPassword };
    return { email: seller.email, act: () => call(seller, 'POST', paths.email, body) };
  },
  async 'email-changed'(stack) {
    const seller = await stack.seller({ paid: false });
    const token = await askForChange(stack, seller);
    return { email: seller.email, act: () => confirmChange(stack, token) };
  },
  async 'email-change-undone'(stack) {
    const seller = await stack.seller({ paid: false });
    await confirmChange(stack, await askForChange(stack, seller));
    const token = await undoToken(stack, seller.email);
    return { email: seller.email, act: () => undoChange(stack, token) };
  },
  async 'account-deleted'(stack) {
    const seller = await stack.seller({ paid: false });
    return {
      email: seller.email,
      async act() {
        const answer = await call(seller, 'POST', paths.deletion, { password: testPassword });
        // As upkeep does once no process writes for the account any more.
        await finishDeletion(stack.server.context, seller.id, new Date(Date.now() + 1_000));
        return answer;
      },
    };
  },
};

test.for(Object.keys(toldChanges) as ToldChange[])(
  'the owner gets a mail about "%s", whatever the settings say',
  async (change, { stack }) => {
    const { email, act } = await steps[change](stack);
    const kind = toldChanges[change];
    const count = () => stack.models.mails.countDocuments({ to: email, kind });
    if (!change.endsWith('-off') || change === 'two-factor-off') {
      await stack.models.userSettings.updateMany(
        {},
        { security_notifications: false, activity_logging: false },
      );
    }
    const before = await count();
    expect((await act()).status).toBeLessThan(300);
    expect(await count()).toBe(before + 1);
  },
);

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
  expect(told.text).toContain('had been on for less than 7 days');
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
  expect(text).not.toContain('Two-factor');
  expectError(await signIn(stack.url, { email, password: newPassword }), 'CODE_REQUIRED');
  const code = codeOf(secret, 1);
  expect((await signIn(stack.url, { email, password: newPassword, code })).status).toBe(200);
  expect(await stack.models.mails.countDocuments({ to: email, kind: 'twoFactorRemoved' })).toBe(0);
});
