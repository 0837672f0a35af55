/** Password reset: a link in a mail sets a new password and ends all sessions. */
import { once } from 'node:events';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { modelsOf } from '#shared/data/collections.ts';
import { doBefore } from '#tests/support/come-between.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  resetSignInLimit,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

const test = testWithSeller({}, { paid: false });

test.beforeEach(async ({ stack }) => {
  await resetSignInLimit(stack.db);
});

const post = (stack: TestStack, path: string, body: unknown) => createVisitor(stack.url).post(path, body);

const requestReset = (stack: TestStack, email: string) => post(stack, paths.passwordReset, { email });

const setPassword = (stack: TestStack, token: unknown, password = 'Newer-Horse-8') =>
  post(stack, paths.confirmPasswordReset, { token, password });

const signIn = (stack: TestStack, email: string, password = testPassword) =>
  post(stack, paths.session, { email, password });

/** Requests a reset. @returns the token in the mail, the first one after the mail with the id `after` */
async function requestToken(stack: TestStack, email: string, after?: number) {
  expect(await requestReset(stack, email)).toMatchObject({ status: 202, body: {} });
  return tokenFromMail(stack, email, 'resetPassword', after);
}

test('the link sets a password once, ends every session and its sockets, and the seller gets a mail about it', async ({
  stack,
  seller,
}) => {
  const otherServer = await stack.startServer();
  const window = await seller.openWindow();
  const ended = [once(window.socket as never, 'sessionEnded'), once(window.socket as never, 'disconnect')];
  // The other server has the session in its cache.
  const visitor = createVisitor(otherServer.url);
  const own = { headers: { authorization: `Bearer ${seller.token}` } };
  expect((await visitor.request(paths.me, own)).status).toBe(200);

  const { token } = await requestToken(stack, seller.email);
  expect(await setPassword(stack, token)).toMatchObject({ status: 204 });
  await Promise.all(ended);
  expect((await seller.request(paths.me)).status).toBe(401);
  await expect.poll(async () => (await visitor.request(paths.me, own)).status).toBe(401);
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);

  expectError(await setPassword(stack, token, 'Third-Horse-9'), 'TOKEN_INVALID');
  expectError(await signIn(stack, seller.email), 'BAD_CREDENTIALS');
  expect(await signIn(stack, seller.email, 'Newer-Horse-8')).toMatchObject({ status: 200 });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'password was changed' });
  expect(mail.text).not.toContain('Newer-Horse-8');
});

test('of eight concurrent uses of one link, one sets its password', async ({ stack, seller }) => {
  const { token } = await requestToken(stack, seller.email);
  const passwords = Array.from({ length: 8 }, (_, index) => `Horse-Number-${index}`);
  const answers = await Promise.all(passwords.map((password) => setPassword(stack, token, password)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 204)) expectError(answer, 'TOKEN_INVALID');
  const winner = passwords[answers.findIndex(({ status }) => status === 204)]!;
  expect(await signIn(stack, seller.email, winner)).toMatchObject({ status: 200 });
});

test('an expired, replaced or made-up link is refused', async ({ stack, seller }) => {
  const first = await requestToken(stack, seller.email);
  const second = await requestToken(stack, seller.email, first.mail);
  expectError(await setPassword(stack, first.token), 'TOKEN_INVALID');
  for (const wrong of ['x', `${second.token}x`, 'x'.repeat(201), '', null, { $ne: '' }]) {
    expectError(await setPassword(stack, wrong), 'TOKEN_INVALID');
  }
  const [row] = await stack.models.accountTokens.find({ user_id: seller.id }).lean();
  const minutes = (row!.expires_at.getTime() - Date.now()) / 60_000;
  expect(Math.abs(minutes - limits.resetMinutes)).toBeLessThan(1);
  await stack.models.accountTokens.updateOne({ _id: row!._id }, { expires_at: new Date(Date.now() - 1) });
  expectError(await setPassword(stack, second.token), 'TOKEN_INVALID');
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
});

test('a weak or common password is refused, and the link still works', async ({ stack, seller }) => {
  const { token } = await requestToken(stack, seller.email);
  // The request has changed nothing.
  expect(await seller.me()).toMatchObject({ user: { id: seller.id } });
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
  expectError(await setPassword(stack, token, 'short'), 'VALIDATION', {
    field: 'password',
    message: 'Please use at least 8 characters',
  });
  expectError(await setPassword(stack, token, 'P@ssword1!'), 'PASSWORD_COMMON');
  expect(await setPassword(stack, token)).toMatchObject({ status: 204 });
});

test('a reset verifies the address, because the link proves access to the mailbox', async ({ stack }) => {
  const form = signUpForm({ email: newAddress() });
  const stranger = createVisitor(stack.url);
  await stranger.post(paths.accounts, form);
  const verification = await tokenFromMail(stack, form.email, 'verifyEmail');
  const { token } = await requestToken(stack, form.email);
  expect(await setPassword(stack, token, 'Owner-Horse-8')).toMatchObject({ status: 204 });
  expect(await stack.models.profiles.findOne({ email: form.email }).lean()).toMatchObject({
    email_verified: true,
  });
  // Neither the link nor the password of the stranger who signed up with the address works any more.
  expectError(await stranger.post(paths.verifyEmail, { token: verification.token }), 'TOKEN_INVALID');
  expectError(await signIn(stack, form.email), 'BAD_CREDENTIALS');
  expect(await signIn(stack, form.email, 'Owner-Horse-8')).toMatchObject({ status: 200 });
});

test('an account that is being deleted gets no link, and an earlier link is refused', async ({
  stack,
  seller,
}) => {
  const { token } = await requestToken(stack, seller.email);
  await stack.models.profiles.updateOne({ _id: seller.id }, { deletion_asked_at: new Date() });
  expectError(await setPassword(stack, token), 'TOKEN_INVALID');
  const before = await stack.models.mails.countDocuments({ to: seller.email });
  expect(await requestReset(stack, seller.email)).toMatchObject({ status: 202 });
  expect(await stack.models.mails.countDocuments({ to: seller.email })).toBe(before);
});

test('a sign-in with the old password during a reset gets no session', async ({ stack, seller }) => {
  const { token } = await requestToken(stack, seller.email);
  // The old password was right, and the reset finds no session.
  doBefore(modelsOf(stack.server.context.db).sessions, 'insertOne', async () => {
    expect(await setPassword(stack, token)).toMatchObject({ status: 204 });
  });
  expectError(await signIn(stack, seller.email), 'BAD_CREDENTIALS');
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);
});
