/** A browser that has signed in to an account before is a known device, which the wrong passwords of others do not lock out. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { createVisitor, forgetAttempts } from '#tests/support/visitor.ts';
import {
  anotherNetwork,
  expectLocked,
  fail,
  home,
  ownBrowser,
  signIn,
  stranger,
  test,
} from './lock-out-steps.ts';

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
