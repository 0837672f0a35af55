/** After ten failures in a row an address is locked out, known or not; its owner has three ways back. */
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningServer } from '../../../server/server.ts';
import { limits, paths } from '../../../shared/contract/index.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { type Answer, type Seller, testPassword } from '../../support/seller.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createVisitor, forgetAttempts, newAddress, tokenFromMail } from '../../support/visitor.ts';

let stack: TestStack;
let another: RunningServer;
let seller: Seller;
beforeAll(async () => {
  stack = await startTestStack();
  another = await stack.startServer();
});
beforeEach(async () => {
  seller = await stack.seller({ paid: false });
});
afterAll(() => stack.close());

const failures = () => stack.data.connection.collection('sign_in_failures');

/** Signs in once the window of the limit below this one has passed. */
async function signIn(email: string, password = testPassword, url = stack.url): Promise<Answer<unknown>> {
  await forgetAttempts(stack.data);
  return createVisitor(url).post(paths.session, { email, password });
}

/** Fails to sign in, on both servers in turn. */
async function fail(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const answer = await signIn(email, 'Wrong-Horse-7', count % 2 === 0 ? stack.url : another.url);
    expectRefusal(answer, 'BAD_CREDENTIALS');
  }
}

async function expectLocked(email: string, url = stack.url): Promise<void> {
  for (const password of ['Wrong-Horse-7', testPassword]) {
    const answer = await signIn(email, password, url);
    expectRefusal(answer, 'ACCOUNT_LOCKED');
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan((limits.lockOutMinutes - 1) * 60);
    expect(wait).toBeLessThanOrEqual(limits.lockOutMinutes * 60);
  }
}

test('ten failures in a row lock an address out on every server, whether or not it has an account', async () => {
  const unknown = newAddress();
  for (const email of [seller.email, unknown]) {
    await fail(email, limits.lockOutFailures);
    await expectLocked(email);
    await expectLocked(` ${email.toUpperCase()}`, another.url);
  }
  // Nobody reads from the collection whose addresses were tried.
  expect(JSON.stringify(await failures().find().toArray())).not.toContain('@');
  expect(await stack.data.profiles.findById(seller.id).lean()).toMatchObject({ account_locked: true });
  expect(await signIn((await stack.seller({ paid: false })).email)).toMatchObject({ status: 200 });
});

test('its sessions end at once, sockets included, and its owner gets one mail', async () => {
  const window = await seller.openWindow();
  const told = [once(window.socket as never, 'sessionEnded'), once(window.socket as never, 'disconnect')];
  const own = { headers: { authorization: `Bearer ${seller.token}` } };
  await fail(seller.email, limits.lockOutFailures - 1);
  expect((await createVisitor(another.url).request(paths.me, own)).status).toBe(200);
  await fail(seller.email, 1);
  await Promise.all(told);
  expect((await seller.request(paths.me)).status).toBe(401);
  await expect
    .poll(async () => (await createVisitor(another.url).request(paths.me, own)).status, { timeout: 2_000 })
    .toBe(401);
  await expectLocked(seller.email);
  expect(await stack.data.mails.countDocuments({ to: seller.email, subject: /locked/ })).toBe(1);
});

test('failures that are not in a row do not lock', async () => {
  await fail(seller.email, limits.lockOutFailures - 1);
  expect(await signIn(seller.email)).toMatchObject({ status: 200 });
  await fail(seller.email, limits.lockOutFailures - 1);
  expect(await signIn(seller.email)).toMatchObject({ status: 200 });
});

test('all ten at once on two servers lock once', async () => {
  await forgetAttempts(stack.data);
  await fail(seller.email, limits.lockOutFailures - limits.signInAttempts);
  await forgetAttempts(stack.data);
  await Promise.all(
    Array.from({ length: limits.signInAttempts }, (_, index) =>
      createVisitor(index % 2 === 0 ? stack.url : another.url).post(paths.session, {
        email: seller.email,
        password: 'Wrong-Horse-7',
      }),
    ),
  );
  await expectLocked(seller.email);
  expect(await stack.data.mails.countDocuments({ to: seller.email, subject: /locked/ })).toBe(1);
});

test('the link in the mail unlocks, once', async () => {
  await fail(seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const unlock = (value: unknown) => createVisitor(another.url).post(paths.unlock, { token: value });
  expectRefusal(await unlock(`${token}x`), 'TOKEN_INVALID');
  const answers = await Promise.all(Array.from({ length: 4 }, () => unlock(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
  expect(await stack.data.profiles.findById(seller.id).lean()).toMatchObject({ account_locked: false });
  expect(await signIn(seller.email)).toMatchObject({ status: 200 });
  expectRefusal(await unlock(token), 'TOKEN_INVALID');
});

test('a new password unlocks', async () => {
  await fail(seller.email, limits.lockOutFailures);
  await createVisitor(stack.url).post(paths.passwordReset, { email: seller.email });
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  const set = { token, password: 'Newer-Horse-8' };
  expect((await createVisitor(stack.url).post(paths.confirmPasswordReset, set)).status).toBe(204);
  expect(await stack.data.profiles.findById(seller.id).lean()).toMatchObject({ account_locked: false });
  expect(await signIn(seller.email, 'Newer-Horse-8')).toMatchObject({ status: 200 });
});

test('time unlocks: the count starts over, and the link is void', async () => {
  await fail(seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  await failures().updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
  await stack.data.accountTokens.updateMany({ user_id: seller.id }, { expires_at: new Date(Date.now() - 1) });
  await fail(seller.email, 1);
  expect(await signIn(seller.email)).toMatchObject({ status: 200 });
  expect(await stack.data.profiles.findById(seller.id).lean()).toMatchObject({ account_locked: false });
  expectRefusal(await createVisitor(stack.url).post(paths.unlock, { token }), 'TOKEN_INVALID');
});
