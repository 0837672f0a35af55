/** Wrong passwords lock out the network that they come from, not the owner of the account. */

import { expect } from 'vitest';
import { limits, paths } from '#contract';
import type { RunningServer } from '#server/server.ts';
import { connectionOf } from '#shared/data/models.ts';
import { protectedSeller, wrongCode } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  createVisitor,
  forgetAttempts,
  newAddress,
  tokenFromMail,
  type Visitor,
} from '#tests/support/visitor.ts';

// The proxy is the test: it says which network a request comes from.
const test = testWithSeller({ settings: { TRUSTED_PROXIES: '1' } }, { paid: false }).extend(
  'another',
  { scope: 'file' },
  ({ stack }) => stack.startServer(),
);

const stranger = '203.0.113.7';
const home = '198.51.100.1';
let networks = 0;
const anotherNetwork = () => {
  networks += 1;
  return `2001:db8:0:${networks.toString(16)}::1`;
};

/** Signs in once the window of the limit below this one has passed. */
async function signIn(
  stack: TestStack,
  email: string,
  { password = testPassword, from = home, on = stack.url, code = undefined as string | undefined } = {},
  visitor: Visitor = createVisitor(on),
): Promise<Answer<unknown>> {
  await forgetAttempts(stack.db);
  return visitor.post(paths.session, { email, password, code }, { 'x-forwarded-for': from });
}

/** Fails to sign in, on both servers in turn. */
async function fail(
  stack: TestStack,
  another: RunningServer,
  email: string,
  times: number,
  from = stranger,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const on = count % 2 === 0 ? stack.url : another.url;
    expectError(await signIn(stack, email, { password: 'Wrong-Horse-7', from, on }), 'BAD_CREDENTIALS');
  }
}

async function expectLocked(stack: TestStack, email: string, from = stranger, on = stack.url): Promise<void> {
  for (const password of ['Wrong-Horse-7', testPassword]) {
    const answer = await signIn(stack, email, { password, from, on });
    expectError(answer, 'ACCOUNT_LOCKED');
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan((limits.lockOutMinutes - 1) * 60);
    expect(wait).toBeLessThanOrEqual(limits.lockOutMinutes * 60);
  }
}

/** A browser that has signed in. */
async function ownBrowser(stack: TestStack, seller: Seller, from = home): Promise<Visitor> {
  const browser = createVisitor(stack.url);
  expect(await signIn(stack, seller.email, { from }, browser)).toMatchObject({ status: 200 });
  return browser;
}

const locked = async (stack: TestStack, seller: Seller) =>
  (await stack.models.profiles.findById(seller.id).lean())?.account_locked;
const lockMails = (stack: TestStack, seller: Seller) =>
  stack.models.mails.countDocuments({ to: seller.email, subject: /wrong passwords/ });

test('ten wrong passwords lock the network out of the account on every server, whether or not there is one', async ({
  stack,
  another,
  seller,
}) => {
  const unknown = newAddress();
  for (const email of [seller.email, unknown]) {
    await fail(stack, another, email, limits.lockOutFailures);
    await expectLocked(stack, email);
    await expectLocked(stack, ` ${email.toUpperCase()}`, stranger, another.url);
  }
  // Nobody reads from the collections whose addresses were tried, or from where.
  for (const name of ['sign_in_failures', 'sign_in_failures_of_all']) {
    const kept = JSON.stringify(await connectionOf(stack.db).collection(name).find().toArray());
    expect(kept).not.toMatch(/@|203\.0/);
  }
  // Not out of another account.
  const other = await stack.seller({ paid: false });
  expect(await signIn(stack, other.email, { from: stranger })).toMatchObject({ status: 200 });
});

test('its owner stays signed in, signs in elsewhere, and gets one mail', async ({
  stack,
  another,
  seller,
}) => {
  const window = await seller.openWindow();
  let ended = false;
  window.socket.on('disconnect', () => {
    ended = true;
  });
  await fail(stack, another, seller.email, limits.lockOutFailures);
  await expectLocked(stack, seller.email);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await signIn(stack, seller.email, { from: home })).toMatchObject({ status: 200 });
  expect(ended).toBe(false);
  window.close();
  expect(await locked(stack, seller)).toBe(false);
  await fail(stack, another, seller.email, limits.lockOutFailures, anotherNetwork());
  expect(await lockMails(stack, seller)).toBe(1);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'wrong passwords' });
  expect(mail.text).toContain(stranger);
});

test('an IPv6 network is the first 64 bits of its addresses', async ({ stack, another, seller }) => {
  const [first, second, neighbour] = ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:2::1'];
  await fail(stack, another, seller.email, limits.lockOutFailures, first);
  await expectLocked(stack, seller.email, second);
  expect(await signIn(stack, seller.email, { from: neighbour })).toMatchObject({ status: 200 });
});

test('a browser that signed in before is locked out by nobody else, not even in the same network', async ({
  stack,
  another,
  seller,
}) => {
  const browser = await ownBrowser(stack, seller, stranger);
  await fail(stack, another, seller.email, limits.lockOutFailures);
  await expectLocked(stack, seller.email);
  expect(await signIn(stack, seller.email, { from: stranger }, browser)).toMatchObject({ status: 200 });
  // That the owner came in lets nobody else in.
  await expectLocked(stack, seller.email);

  // Nor do five attempts a minute keep it out.
  await forgetAttempts(stack.db);
  const guess = () =>
    createVisitor(stack.url).post(
      paths.session,
      { email: seller.email, password: 'Wrong-Horse-7' },
      { 'x-forwarded-for': anotherNetwork() },
    );
  const guesses = await Promise.all(Array.from({ length: limits.signInAttempts + 1 }, guess));
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
  const own = { email: seller.email, password: testPassword };
  expect(await browser.post(paths.session, own)).toMatchObject({ status: 200 });
});

test('a known browser has ten wrong passwords of its own, and locks out nobody but itself', async ({
  stack,
  seller,
}) => {
  const [browser, second] = [await ownBrowser(stack, seller), await ownBrowser(stack, seller)];
  const wrong = { password: 'Wrong-Horse-7' };
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    expectError(await signIn(stack, seller.email, wrong, browser), 'BAD_CREDENTIALS');
  }
  expectError(await signIn(stack, seller.email, {}, browser), 'ACCOUNT_LOCKED');
  expect(await signIn(stack, seller.email, {}, second)).toMatchObject({ status: 200 });
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
  expect((await seller.request(paths.me)).status).toBe(200);
});

test('a cookie is worth something for the accounts that were signed in to with it, and only as it was set', async ({
  stack,
  another,
  seller,
}) => {
  const other = await stack.seller({ paid: false });
  const browser = await ownBrowser(stack, seller, stranger);
  await fail(stack, another, other.email, limits.lockOutFailures);
  expectError(await signIn(stack, other.email, { from: stranger }, browser), 'ACCOUNT_LOCKED');
  await fail(stack, another, seller.email, limits.lockOutFailures);
  for (const value of ['x'.repeat(43), '', 'a'.repeat(5_000), seller.id]) {
    const headers = { 'x-forwarded-for': stranger, cookie: `packshot-device=${value}` };
    await forgetAttempts(stack.db);
    const own = { email: seller.email, password: testPassword };
    expectError(await createVisitor(stack.url).post(paths.session, own, headers), 'ACCOUNT_LOCKED');
  }
  const rows = await stack.models.knownDevices.find({ user_id: seller.id }).lean();
  expect(
    rows.map(({ expires_at: until }) => Math.round((until.getTime() - Date.now()) / 86_400_000)),
  ).toEqual(rows.map(() => limits.knownDeviceDays));
});

test('the cookie is for the server alone, and for a year', async ({ stack, seller }) => {
  const answer = await signIn(stack, seller.email);
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('packshot-device='));
  expect(cookie).toMatch(/^packshot-device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  const secure = await stack.startServer({ PUBLIC_URL: 'https://packshot.example' });
  const there = await signIn(stack, seller.email, { on: secure.url });
  const secureCookie = there.headers.getSetCookie().find((each) => each.includes('device'));
  expect(secureCookie).toMatch(/^__Host-packshot-device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const secret = /=([\w-]{43});/.exec(cookie!)![1]!;
  expect(JSON.stringify(await stack.models.knownDevices.find().lean())).not.toContain(secret);
});

test('an account knows so many devices at most, and forgets those first that never came again', async ({
  stack,
  another,
  seller,
}) => {
  const browser = await ownBrowser(stack, seller);
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
  const now = Date.now();
  await stack.models.knownDevices.insertMany(
    Array.from({ length: limits.knownDevices }, (_, index) => ({
      _id: `${seller.id}-${index}`,
      user_id: seller.id,
      created_at: new Date(now + index),
      expires_at: new Date(now + 86_400_000),
    })),
  );
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
  expect(await stack.models.knownDevices.countDocuments({ user_id: seller.id })).toBe(limits.knownDevices);
  await fail(stack, another, seller.email, limits.lockOutFailures, home);
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
});

test('failures that are not in a row do not lock', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  await fail(stack, another, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
});

test('all ten at once on two servers lock once', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures - limits.signInAttempts);
  await forgetAttempts(stack.db);
  await Promise.all(
    Array.from({ length: limits.signInAttempts }, (_, index) =>
      createVisitor(index % 2 === 0 ? stack.url : another.url).post(
        paths.session,
        { email: seller.email, password: 'Wrong-Horse-7' },
        { 'x-forwarded-for': stranger },
      ),
    ),
  );
  await expectLocked(stack, seller.email);
  expect(await lockMails(stack, seller)).toBe(1);
  const log = await stack.models.activities.find({ user_id: seller.id, kind: 'locked-out' }).lean();
  expect(log).toHaveLength(1);
});

/** Lets almost as many failures be counted as lock all devices that are not known, then fails from new networks. */
async function lockEverybody(stack: TestStack, another: RunningServer, seller: Seller): Promise<void> {
  await fail(stack, another, seller.email, 1, anotherNetwork());
  const counts = connectionOf(stack.db).collection('sign_in_failures_of_all');
  const [last] = await counts.find().sort({ expire: -1 }).limit(1).toArray();
  await counts.updateOne({ _id: last!._id }, { $set: { points: limits.lockOutFailuresOfAll - 1 } });
  await fail(stack, another, seller.email, 1, anotherNetwork());
}

test('a hundred from many networks lock all devices that are not known; the owner is told, and has three ways in', async ({
  stack,
  another,
  seller,
}) => {
  const browser = await ownBrowser(stack, seller);
  await lockEverybody(stack, another, seller);
  await expectLocked(stack, seller.email, home);
  await expectLocked(stack, seller.email, anotherNetwork());
  expect(await locked(stack, seller)).toBe(true);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await lockMails(stack, seller)).toBe(1);
  // A device that is known.
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
  expect(await locked(stack, seller)).toBe(true);
  // The link in the mail, which makes a new one known whatever is still being tried.
  const phone = createVisitor(stack.url);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  expect((await phone.post(paths.unlock, { token })).status).toBe(204);
  expect(await locked(stack, seller)).toBe(false);
  await lockEverybody(stack, another, seller);
  expect(await signIn(stack, seller.email, {}, phone)).toMatchObject({ status: 200 });
  // A new password.
  const laptop = createVisitor(stack.url);
  await laptop.post(paths.passwordReset, { email: seller.email });
  const reset = await tokenFromMail(stack, seller.email, 'resetPassword');
  const set = { token: reset.token, password: 'Newer-Horse-8' };
  expect((await laptop.post(paths.confirmPasswordReset, set)).status).toBe(204);
  expect(await locked(stack, seller)).toBe(false);
  await lockEverybody(stack, another, seller);
  expect(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, laptop)).toMatchObject({
    status: 200,
  });
  // Which the other browsers do not know yet.
  expectError(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, phone), 'ACCOUNT_LOCKED');
});

test('whoever guesses codes has ten guesses over all networks', async ({ stack }) => {
  const { seller: guarded, secret } = await protectedSeller(stack);
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    const answer = await signIn(stack, guarded.email, { code: wrongCode(secret), from: anotherNetwork() });
    expectError(answer, 'CODE_INVALID');
  }
  expectError(await signIn(stack, guarded.email, { code: wrongCode(secret) }), 'ACCOUNT_LOCKED');
});

test('the link in the mail unlocks, once, also opened in another network than the one that is locked', async ({
  stack,
  another,
  seller,
}) => {
  await fail(stack, another, seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const unlock = (value: unknown) =>
    createVisitor(another.url).post(paths.unlock, { token: value }, { 'x-forwarded-for': home });
  expectError(await unlock(`${token}x`), 'TOKEN_INVALID');
  const answers = await Promise.all(Array.from({ length: 4 }, () => unlock(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  expectError(await unlock(token), 'TOKEN_INVALID');
});

test('time unlocks: the count starts over, and the link is void', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const counts = connectionOf(stack.db).collection('sign_in_failures');
  await counts.updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
  await stack.models.accountTokens.updateMany(
    { user_id: seller.id },
    { expires_at: new Date(Date.now() - 1) },
  );
  await fail(stack, another, seller.email, 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  expectError(await createVisitor(stack.url).post(paths.unlock, { token }), 'TOKEN_INVALID');
});
