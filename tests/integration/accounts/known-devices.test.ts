/** Known devices: browsers that have signed in before. Wrong passwords from elsewhere do not lock them out. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { createVisitor, resetSignInLimit } from '#tests/support/visitor.ts';
import {
  attackerNetwork,
  expectLocked,
  failSignIns,
  knownBrowser,
  newNetwork,
  ownerNetwork,
  signIn,
  test,
} from './lock-out-steps.ts';

test('wrong passwords from elsewhere do not lock out a known browser, even in the same network', async ({
  stack,
  otherServer,
  seller,
}) => {
  const browser = await knownBrowser(stack, seller, attackerNetwork);
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures);
  await expectLocked(stack, seller.email);
  expect(await signIn(stack, seller.email, { from: attackerNetwork }, browser)).toMatchObject({
    status: 200,
  });
  // The owner's sign-in does not end the lock for others.
  await expectLocked(stack, seller.email);

  // Attempts from elsewhere do not count towards its limit of attempts a minute either.
  await resetSignInLimit(stack.db);
  const guess = () =>
    createVisitor(stack.url).post(
      paths.session,
      { email: seller.email, password: 'Wrong-Horse-7' },
      { 'x-forwarded-for': newNetwork() },
    );
  const guesses = await Promise.all(Array.from({ length: limits.signInAttempts + 1 }, guess));
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
  const credentials = { email: seller.email, password: testPassword };
  expect(await browser.post(paths.session, credentials)).toMatchObject({ status: 200 });
});

test('ten wrong passwords lock out the known browser that sent them, and no other', async ({
  stack,
  seller,
}) => {
  const [browser, second] = [await knownBrowser(stack, seller), await knownBrowser(stack, seller)];
  const wrong = { password: 'Wrong-Horse-7' };
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    expectError(await signIn(stack, seller.email, wrong, browser), 'BAD_CREDENTIALS');
  }
  expectError(await signIn(stack, seller.email, {}, browser), 'ACCOUNT_LOCKED');
  expect(await signIn(stack, seller.email, {}, second)).toMatchObject({ status: 200 });
  expect(await signIn(stack, seller.email)).toMatchObject({ status: 200 });
  expect((await seller.request(paths.me)).status).toBe(200);
});

test('a device cookie counts only for accounts that were signed in to with it, and only if it is unchanged', async ({
  stack,
  otherServer,
  seller,
}) => {
  const other = await stack.seller({ paid: false });
  const browser = await knownBrowser(stack, seller, attackerNetwork);
  await failSignIns(stack, otherServer, other.email, limits.lockOutFailures);
  expectError(await signIn(stack, other.email, { from: attackerNetwork }, browser), 'ACCOUNT_LOCKED');
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures);
  for (const value of ['x'.repeat(43), '', 'a'.repeat(5_000), seller.id]) {
    const headers = { 'x-forwarded-for': attackerNetwork, cookie: `packshot-device=${value}` };
    await resetSignInLimit(stack.db);
    const credentials = { email: seller.email, password: testPassword };
    expectError(await createVisitor(stack.url).post(paths.session, credentials, headers), 'ACCOUNT_LOCKED');
  }
  const rows = await stack.models.knownDevices.find({ user_id: seller.id }).lean();
  expect(
    rows.map(({ expires_at: until }) => Math.round((until.getTime() - Date.now()) / 86_400_000)),
  ).toEqual(rows.map(() => limits.knownDeviceDays));
});

test('the cookie is HttpOnly and valid for a year, and the database has only a hash of it', async ({
  stack,
  seller,
}) => {
  const answer = await signIn(stack, seller.email);
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('packshot-device='));
  expect(cookie).toMatch(/^packshot-device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  const secure = await stack.startServer({ PUBLIC_URL: 'https://packshot.example' });
  const secureAnswer = await signIn(stack, seller.email, { on: secure.url });
  const secureCookie = secureAnswer.headers.getSetCookie().find((each) => each.includes('device'));
  expect(secureCookie).toMatch(/^__Host-packshot-device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const secret = /=([\w-]{43});/.exec(cookie!)![1]!;
  expect(JSON.stringify(await stack.models.knownDevices.find().lean())).not.toContain(secret);
});

test('the known devices of an account are limited; those used only once are dropped first', async ({
  stack,
  otherServer,
  seller,
}) => {
  const browser = await knownBrowser(stack, seller);
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
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures, ownerNetwork);
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
});
