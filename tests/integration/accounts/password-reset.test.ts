/** Rows 27 and 28: a new password for who has the mailbox, and what it ends. */
import { once } from 'node:events';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  createVisitor,
  forgetAttempts,
  newAddress,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

const test = testWithSeller({}, { paid: false });
test.beforeEach(async ({ stack }) => {
  await forgetAttempts(stack.db);
});

const post = (stack: TestStack, path: string, body: unknown) => createVisitor(stack.url).post(path, body);
const ask = (stack: TestStack, email: string) => post(stack, paths.passwordReset, { email });
const set = (stack: TestStack, token: unknown, password = 'Newer-Horse-8') =>
  post(stack, paths.confirmPasswordReset, { token, password });
const signIn = (stack: TestStack, email: string, password = testPassword) =>
  post(stack, paths.session, { email, password });

async function askedToken(stack: TestStack, seller: Seller, email = seller.email, after?: number) {
  expect(await ask(stack, email)).toMatchObject({ status: 202, body: {} });
  return tokenFromMail(stack, email, 'resetPassword', after);
}

test('the link sets a password once, ends every session with its sockets, and is told by mail', async ({
  stack,
  seller,
}) => {
  const another = await stack.startServer();
  const window = await seller.openWindow();
  const told = [once(window.socket as never, 'sessionEnded'), once(window.socket as never, 'disconnect')];
  // The other server has just looked the session up, and would believe it for a while.
  const there = createVisitor(another.url);
  const own = { headers: { authorization: `Bearer ${seller.token}` } };
  expect((await there.request(paths.me, own)).status).toBe(200);

  const { token } = await askedToken(stack, seller, ` ${seller.email.toUpperCase()}`.trim().toLowerCase());
  expect(await set(stack, token)).toMatchObject({ status: 204 });
  await Promise.all(told);
  expect((await seller.request(paths.me)).status).toBe(401);
  await expect.poll(async () => (await there.request(paths.me, own)).status, { timeout: 2_000 }).toBe(401);
  expect(await stack.models.sessions.countDocuments({ user_id: seller.id })).toBe(0);

  expectError(await set(stack, token, 'Third-Horse-9'), 'TOKEN_INVALID');
  expectError(await signIn(stack, seller.email), 'BAD_CREDENTIALS');
  expect(await signIn(stack, seller.email, 'Newer-Horse-8')).toMatchObject({ status: 200 });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'password was changed' });
  expect(mail.text).not.toContain('Newer-Horse-8');
});

test('asking does nothing to the account', async ({ stack, seller }) => {
  await askedToken(stack, seller);
  expect(await seller.me()).toMatchObject({ user: { id: seller.id } });
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
});

test('of eight uses of one link at once a single one sets its password', async ({ stack, seller }) => {
  const { token } = await askedToken(stack, seller);
  const passwords = Array.from({ length: 8 }, (_, index) => `Horse-Number-${index}`);
  const answers = await Promise.all(passwords.map((password) => set(stack, token, password)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 204)) expectError(answer, 'TOKEN_INVALID');
  const winner = passwords[answers.findIndex(({ status }) => status === 204)]!;
  expect(await signIn(stack, seller.email, winner)).toMatchObject({ status: 200 });
});

test('an old link is worth nothing, nor one that a newer one replaced or that never was', async ({
  stack,
  seller,
}) => {
  const first = await askedToken(stack, seller);
  const second = await askedToken(stack, seller, seller.email, first.mail);
  expectError(await set(stack, first.token), 'TOKEN_INVALID');
  for (const wrong of ['x', `${second.token}x`, 'x'.repeat(201), '', null, { $ne: '' }]) {
    expectError(await set(stack, wrong), 'TOKEN_INVALID');
  }
  const [row] = await stack.models.accountTokens.find({ user_id: seller.id }).lean();
  const minutes = (row!.expires_at.getTime() - Date.now()) / 60_000;
  expect(Math.abs(minutes - limits.resetMinutes)).toBeLessThan(1);
  await stack.models.accountTokens.updateOne({ _id: row!._id }, { expires_at: new Date(Date.now() - 1) });
  expectError(await set(stack, second.token), 'TOKEN_INVALID');
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
});

test('a password that is weak or common is refused, and the link still works', async ({ stack, seller }) => {
  const { token } = await askedToken(stack, seller);
  expectError(await set(stack, token, 'short'), 'VALIDATION', {
    field: 'password',
    message: 'Password does not meet security requirements',
  });
  expectError(await set(stack, token, 'P@ssword1!'), 'PASSWORD_COMMON');
  expect(await set(stack, token)).toMatchObject({ status: 204 });
});

test('it verifies the address, since the mailbox was shown to be theirs', async ({ stack, seller }) => {
  const form = signUpForm({ email: newAddress() });
  const eve = createVisitor(stack.url);
  await eve.post(paths.accounts, form);
  const verification = await tokenFromMail(stack, form.email, 'verifyEmail');
  const { token } = await askedToken(stack, seller, form.email);
  expect(await set(stack, token, 'Owner-Horse-8')).toMatchObject({ status: 204 });
  expect(await stack.models.profiles.findOne({ email: form.email }).lean()).toMatchObject({
    email_verified: true,
  });
  // Whoever signed up with the address is out, whatever they hold.
  expectError(await eve.post(paths.verifyEmail, { token: verification.token }), 'TOKEN_INVALID');
  expectError(await signIn(stack, form.email), 'BAD_CREDENTIALS');
  expect(await signIn(stack, form.email, 'Owner-Horse-8')).toMatchObject({ status: 200 });
});

test('it does not turn two-factor sign-in off', async ({ stack, seller }) => {
  await stack.models.users.updateOne(
    { _id: seller.id },
    { two_factor: { secret: 'JBSWY3DPEHPK3PXP', last_step: 0, recovery_codes: [] } },
  );
  await stack.models.profiles.updateOne({ _id: seller.id }, { two_factor_enabled: true });
  const { token } = await askedToken(stack, seller);
  expect(await set(stack, token)).toMatchObject({ status: 204 });
  expectError(await signIn(stack, seller.email, 'Newer-Horse-8'), 'CODE_REQUIRED');
});

test('an account that was given up gets no link, and one that was sent before is void', async ({
  stack,
  seller,
}) => {
  const { token } = await askedToken(stack, seller);
  await stack.models.profiles.updateOne({ _id: seller.id }, { deletion_asked_at: new Date() });
  expectError(await set(stack, token), 'TOKEN_INVALID');
  const before = await stack.models.mails.countDocuments({ to: seller.email });
  expect(await ask(stack, seller.email)).toMatchObject({ status: 202 });
  expect(await stack.models.mails.countDocuments({ to: seller.email })).toBe(before);
});

test('of a sign-in and a reset at the same moment, no session of the old password is left', async ({
  stack,
  seller,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const each = await stack.seller({ paid: false });
    const { token } = await askedToken(stack, seller, each.email);
    const [reset] = await Promise.all([
      set(stack, token),
      signIn(stack, each.email),
      signIn(stack, each.email),
    ]);
    expect(reset.status).toBe(204);
    const left = await stack.models.sessions.find({ user_id: each.id }).lean();
    expect(left, `round ${round}`).toEqual([]);
  }
});
