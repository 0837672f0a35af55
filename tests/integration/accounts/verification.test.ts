/** The link that verifies an address: when it signs in, when it requires the password, and when it is refused. */
import { expect } from 'vitest';
import { limits, paths, type SessionReply } from '#contract';
import { modelsOf } from '#shared/data/collections.ts';
import { doBefore } from '#tests/support/come-between.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  signUpAndVerify,
  signUpForm,
  tokenFromMail,
  type Visitor,
} from '#tests/support/visitor.ts';

const test = testWithStack();

const visitor = (stack: TestStack, userAgent?: string) => createVisitor(stack.url, userAgent);

const verify = (browser: Visitor, token: unknown, password?: string) =>
  browser.post(paths.verifyEmail, { token, ...(password === undefined ? {} : { password }) });

const signIn = (stack: TestStack, email: string, password = testPassword) =>
  visitor(stack).post(paths.session, { email, password });

/** Signs up. @returns the browser that did, and the token in the mail */
async function signedUp(stack: TestStack, form = signUpForm()) {
  const browser = visitor(stack);
  expect(await browser.post(paths.accounts, form)).toMatchObject({ status: 202, body: {} });
  return { form, browser, ...(await tokenFromMail(stack, form.email, 'verifyEmail')) };
}

const me = (stack: TestStack, answer: { body: unknown }) => {
  const { token } = answer.body as SessionReply;
  return visitor(stack).request(paths.me, { headers: { authorization: `Bearer ${token}` } });
};

test('in the browser that signed up, the link verifies the address and signs in', async ({ stack }) => {
  const details = signUpForm({ fullName: 'Ada Lovelace', plan: 'enterprise' });
  const { form, browser, token } = await signedUp(stack, details);
  expectError(await browser.request(paths.me), 'UNAUTHENTICATED');
  const answer = await verify(browser, token);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      user: { email: form.email, fullName: 'Ada Lovelace' },
      subscription: { plan: 'enterprise', status: 'inactive', canGenerate: false },
    },
  });
  expect(await browser.request(paths.me)).toMatchObject({ status: 200 });
  expect(await me(stack, answer)).toMatchObject({ status: 200 });
  const profile = await stack.models.profiles.findOne({ email: form.email }).lean();
  expect(profile).toMatchObject({ email_verified: true, login_count: 1 });
  expect(await signIn(stack, form.email)).toMatchObject({ status: 200 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a link works once', async ({ stack }) => {
  const { browser, token } = await signedUp(stack);
  const answers = await Promise.all(Array.from({ length: 8 }, () => verify(browser, token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'TOKEN_INVALID');
  expectError(await verify(browser, token), 'TOKEN_INVALID');
  expectError(await verify(visitor(stack), token, testPassword), 'TOKEN_INVALID');
});

test('an expired link, a made-up one and one for another purpose are refused; a new one can be requested', async ({
  stack,
}) => {
  const { form, browser, token, mail } = await signedUp(stack);
  await visitor(stack).post(paths.passwordReset, { email: form.email });
  const reset = await tokenFromMail(stack, form.email, 'resetPassword');
  const madeUp = ['x', `${token}x`, token.slice(1), 'x'.repeat(201), '', null, { $ne: '' }];
  for (const wrong of [...madeUp, reset.token]) {
    expectError(await verify(browser, wrong), 'TOKEN_INVALID');
  }
  const [row] = await stack.models.accountTokens
    .find({ kind: 'verify-email' })
    .sort({ expires_at: -1 })
    .lean();
  const hours = (row!.expires_at.getTime() - Date.now()) / 3_600_000;
  expect(Math.abs(hours - limits.verificationHours)).toBeLessThan(0.1);
  await stack.models.accountTokens.updateOne({ _id: row!._id }, { expires_at: new Date(Date.now() - 1) });
  expectError(await verify(browser, token), 'TOKEN_INVALID');
  expect(await visitor(stack).post(paths.verification, { email: form.email })).toMatchObject({ status: 202 });
  const second = await tokenFromMail(stack, form.email, 'verifyEmail', mail);
  expect(await verify(browser, second.token)).toMatchObject({ status: 200 });
});

test('a new link invalidates the previous one, and also works without a password in the browser that signed up', async ({
  stack,
}) => {
  const { form, browser, ...first } = await signedUp(stack);
  await visitor(stack, 'another browser').post(paths.verification, { email: ` ${form.email.toUpperCase()}` });
  const second = await tokenFromMail(stack, form.email, 'verifyEmail', first.mail);
  expectError(await verify(browser, first.token), 'TOKEN_INVALID');
  expect(await verify(browser, second.token)).toMatchObject({ status: 200 });
});

test('in another browser the link requires the password, and a wrong one does not use it up; until then only the right password reveals why nobody can sign in', async ({
  stack,
}) => {
  const { form, token } = await signedUp(stack);
  expectError(await signIn(stack, form.email, 'Wrong-Horse-7'), 'BAD_CREDENTIALS');
  const other = visitor(stack);
  await other.post(paths.accounts, signUpForm());
  for (const browser of [visitor(stack), other])
    expectError(await verify(browser, token), 'PASSWORD_REQUIRED');
  expectError(await verify(other, token, 'Wrong-Horse-7'), 'WRONG_PASSWORD');
  expectError(await signIn(stack, form.email), 'EMAIL_UNVERIFIED');
  expect(await verify(other, token, testPassword)).toMatchObject({ status: 200 });
  expect(await signIn(stack, form.email)).toMatchObject({ status: 200 });
});

test('a sign-up by a stranger is not verified when the owner of the address opens the link', async ({
  stack,
}) => {
  const email = newAddress();
  const stranger = visitor(stack, 'stranger');
  await stranger.post(paths.accounts, signUpForm({ email, password: 'Stranger-Horse-8' }));
  const { token, mail } = await tokenFromMail(stack, email, 'verifyEmail');
  // The owner opens the link of the unexpected mail, without knowing the stranger's password.
  const owner = visitor(stack, 'owner');
  expectError(await verify(owner, token), 'PASSWORD_REQUIRED');
  expectError(await verify(owner, token, 'Owner-Horse-9'), 'WRONG_PASSWORD');
  expectError(await signIn(stack, email, 'Stranger-Horse-8'), 'EMAIL_UNVERIFIED');
  // Then the owner signs up: their details replace the stranger's, whose link becomes invalid.
  await owner.post(paths.accounts, signUpForm({ email, password: 'Owner-Horse-9', fullName: 'The Owner' }));
  const second = await tokenFromMail(stack, email, 'verifyEmail', mail);
  expectError(await verify(stranger, token), 'TOKEN_INVALID');
  expectError(await verify(stranger, second.token), 'PASSWORD_REQUIRED');
  expect(await verify(owner, second.token)).toMatchObject({
    status: 200,
    body: { user: { fullName: 'The Owner' } },
  });
  expectError(await signIn(stack, email, 'Stranger-Horse-8'), 'BAD_CREDENTIALS');
  expect(await signIn(stack, email, 'Owner-Horse-9')).toMatchObject({ status: 200 });
});

test('a verification and a concurrent newer sign-up never mix their passwords', async ({ stack }) => {
  const { users } = modelsOf(stack.server.context.db);
  const strangerSignsUp = async (email: string) => {
    const form = signUpForm({ email, password: 'Stranger-Horse-8' });
    expect(await visitor(stack).post(paths.accounts, form)).toMatchObject({ status: 202 });
  };
  const ownerForm = () => signUpForm({ password: 'Owner-Horse-9' });

  const first = await signedUp(stack, ownerForm());
  // The newer sign-up has seen that the address is unverified, and the link comes before it.
  doBefore(users, 'findOneAndUpdate', async () => {
    expect(await verify(first.browser, first.token)).toMatchObject({ status: 200 });
  });
  await strangerSignsUp(first.form.email);
  expect(await signIn(stack, first.form.email, 'Owner-Horse-9')).toMatchObject({ status: 200 });
  expectError(await signIn(stack, first.form.email, 'Stranger-Horse-8'), 'BAD_CREDENTIALS');

  const second = await signedUp(stack, ownerForm());
  // The link was found valid, and the newer sign-up comes before it is used.
  doBefore(users, 'updateOne', () => strangerSignsUp(second.form.email));
  expectError(await verify(second.browser, second.token), 'TOKEN_INVALID');
  expectError(await signIn(stack, second.form.email, 'Stranger-Horse-8'), 'EMAIL_UNVERIFIED');
  expectError(await signIn(stack, second.form.email, 'Owner-Horse-9'), 'BAD_CREDENTIALS');
});

test('password attempts with a link count as sign-in attempts', async ({ stack }) => {
  const { form, token } = await signedUp(stack);
  for (let attempt = 0; attempt < limits.signInAttempts; attempt += 1) {
    expectError(await verify(visitor(stack), token, 'Wrong-Horse-7'), 'WRONG_PASSWORD');
  }
  for (const answer of [await verify(visitor(stack), token, testPassword), await signIn(stack, form.email)]) {
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  }
});

test('a sign-up with the address of an account is reported only by a mail to its owner', async ({
  stack,
}) => {
  const form = signUpForm({ fullName: 'Ada Lovelace' });
  expect(await signUpAndVerify(stack, visitor(stack), form)).toMatchObject({ status: 200 });
  const before = await stack.models.users.findOne({ email: form.email }).lean();
  await visitor(stack).post(paths.accounts, { ...form, fullName: 'Eve Else', password: 'Other-Horse-9' });
  const mail = await stack.mails.waitForMail({ to: form.email, subject: 'already have' });
  expect(mail.text).toContain('Ada Lovelace');
  expect(mail.text).not.toContain('Eve Else');
  expect(mail.text).not.toMatch(/token=/);
  stack.mails.linkIn(mail, '/login');
  stack.mails.linkIn(mail, '/forgot-password');
  expect(await stack.models.users.findOne({ email: form.email }).lean()).toEqual(before);
  expect(await stack.models.profiles.findOne({ email: form.email }).lean()).toMatchObject({
    full_name: 'Ada Lovelace',
  });
  // There is nothing left to verify either, so no mail is sent.
  const sent = (await stack.mails.mails(form.email)).length;
  await visitor(stack).post(paths.verification, { email: form.email });
  expect(await stack.models.mails.countDocuments({ to: form.email })).toBe(sent);
});
