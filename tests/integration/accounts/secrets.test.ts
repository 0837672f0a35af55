/** Every place that checks a password or code of an account counts, locks, records and mails the same way. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { type ErrorReply, limits, paths } from '#contract';
import { connectionOf } from '#shared/data/collection.ts';
import { anotherSession, call, twoFactorSeller } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { resetSignInLimit } from '#tests/support/visitor.ts';
import { inSession, type Way, type Wrong, ways } from './account-ways.ts';

const test = testWithStack();

const wrongPassword = 'Wrong-Horse-7';

/** The ways that check a password, or a password and a code. */
const withoutCode = [
  'link of a sign-up, in another browser',
  'password changed',
  'authenticator app added',
  'activity log turned off',
];
const withCode = [
  'sign-in',
  'another address confirmed',
  'another address asked for',
  'authenticator app removed',
  'passkey removed',
  'API key made',
  'recovery codes made',
  'all data exported',
  'account deleted',
];

/** An account, and how to prove who one is at one place. */
interface Place extends Way {
  take(wrong?: Wrong): Promise<Answer<ErrorReply>>;
}

const placeOf = (stack: TestStack, name: string) => ways[name]!(stack) as Promise<Place>;

/** A place that asks for both, and its seller. */
async function endOfTwoFactor(stack: TestStack) {
  const { seller, secret } = await twoFactorSeller(stack);
  const place = inSession(stack, seller, ['DELETE', paths.twoFactor], { secret }) as Place;
  return { seller, secret, place };
}

/** A new passkey, of which only the beginning asks. */
async function newPasskey(stack: TestStack): Promise<Place> {
  const { seller, secret } = await twoFactorSeller(stack);
  return inSession(stack, seller, ['POST', paths.beginPasskey], { secret }) as Place;
}

/** Resets the limits of attempts a minute, as if their windows had passed. */
async function aMinuteLater(stack: TestStack): Promise<void> {
  await resetSignInLimit(stack.db);
  await connectionOf(stack.db).collection('session_attempts').deleteMany({});
}

/** Guesses wrongly, and expects that each guess is checked. */
async function guess(
  stack: TestStack,
  place: Pick<Place, 'take'>,
  secret: 'password' | 'code',
  times: number,
) {
  for (let count = 0; count < times; count += 1) {
    await aMinuteLater(stack);
    expect([count, (await place.take(secret)).body.error.code]).toEqual([
      count,
      expect.stringMatching(secret === 'code' ? /^CODE_INVALID$/ : /^(WRONG_PASSWORD|BAD_CREDENTIALS)$/),
    ]);
  }
  await aMinuteLater(stack);
}

const inSessionRefusal = `Too many failed attempts. Please try again in ${limits.lockOutMinutes} minutes, or sign in again.`;

/** Expects that the right password and code are refused, in words and with the time left. */
async function expectLocked(place: Pick<Place, 'take' | 'inSession'>): Promise<void> {
  const answer = await place.take();
  expectError(answer, 'ACCOUNT_LOCKED', place.inSession ? { message: inSessionRefusal } : {});
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan((limits.lockOutMinutes - 1) * 60);
  expect(wait).toBeLessThanOrEqual(limits.lockOutMinutes * 60);
}

const linesOf = (stack: TestStack, { id }: Pick<Way, 'id'>, kind: 'sign-in-failed' | 'locked-out') =>
  stack.models.activities.countDocuments({ user_id: id, kind });
const lockMailsTo = (stack: TestStack, to: string) =>
  stack.models.mails.countDocuments({ to, kind: { $in: ['accountLocked', 'sessionLocked'] } });

const places = [...withoutCode, ...withCode, 'a new passkey'];

describe.each(places)('%s', (name) => {
  const newPlace = (stack: TestStack) =>
    name === 'a new passkey' ? newPasskey(stack) : placeOf(stack, name);
  const hasCode = !withoutCode.includes(name);

  test.for(hasCode ? (['password', 'code'] as const) : (['password'] as const))(
    'wrong guesses of the %s lock, with a line for each and one mail; the right one is then refused in words',
    async (secret, { stack }) => {
      const place = await newPlace(stack);
      await guess(stack, place, secret, limits.lockOutFailures);
      await expectLocked(place);
      expect(await linesOf(stack, place, 'sign-in-failed')).toBe(limits.lockOutFailures);
      expect(await linesOf(stack, place, 'locked-out')).toBe(1);
      // An address that nobody has confirmed is told of no lock.
      const isConfirmed = name !== 'link of a sign-up, in another browser';
      expect(await lockMailsTo(stack, place.addresses[0]!)).toBe(isConfirmed ? 1 : 0);
    },
  );

  test('the right ones set the counts to zero, and a code that is missing is asked for', async ({
    stack,
  }) => {
    const place = await newPlace(stack);
    await guess(stack, place, 'password', limits.lockOutFailures - 1);
    if (hasCode) {
      expect((await place.take('no code')).body.error.code).toMatch(/^CODE_REQUIRED$|^VALIDATION$/);
    }
    expect((await place.take()).status).toBeLessThan(300);
    expect(await linesOf(stack, place, 'locked-out')).toBe(0);
    const wrong = { user_id: place.id, 'wrong.password': { $gt: 0 } };
    expect(await stack.models.sessions.countDocuments(wrong)).toBe(0);
  });
});

test('the right password does not reset the count of wrong codes, so that they cannot be guessed for ever', async ({
  stack,
}) => {
  const { seller, place } = await endOfTwoFactor(stack);
  await guess(stack, place, 'code', limits.lockOutFailures - 1);
  const same = { password: testPassword, newPassword: testPassword };
  expectError(await call(seller, 'POST', paths.password, same), 'PASSWORD_REUSED');
  await guess(stack, place, 'code', 1);
  await expectLocked(place);
});

test('a locked session goes on, no other one is locked, and sign-in works', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const prove = (from: Seller, password: string) => call(from, 'POST', paths.twoFactor, { password });
  const take = (wrong?: Wrong) => prove(seller, wrong ? wrongPassword : testPassword);
  await guess(stack, { take }, 'password', limits.lockOutFailures);
  await expectLocked({ take, inSession: true });
  expect((await seller.request(paths.me)).status).toBe(200);
  const signedInAgain = await anotherSession(stack.url, seller);
  expect((await prove(signedInAgain, testPassword)).status).toBe(200);
});

test('the second lock of a session ends it, and a mail says so', async ({ stack }) => {
  const { seller, place } = await endOfTwoFactor(stack);
  const other = await stack.models.sessions.create({
    ...(await stack.models.sessions.findOne({ user_id: seller.id }).lean())!,
    _id: 'another-session',
  });
  await guess(stack, place, 'code', limits.lockOutFailures);
  // An hour later.
  await stack.models.sessions.updateMany({ user_id: seller.id }, { locked_until: new Date() });
  await connectionOf(stack.db).collection('lock_mails').deleteMany({});
  await guess(stack, place, 'code', limits.lockOutFailures);
  expectError(await place.take(), 'UNAUTHENTICATED');
  const left = await stack.models.sessions.find({ user_id: seller.id }).lean();
  expect(left.map(({ _id }) => _id)).toEqual([other._id]);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'Too many wrong' });
  expect(await lockMailsTo(stack, seller.email)).toBe(2);
  expect(mail.text).toContain('signed in to your Packshot account');
});

test('guesses at the same moment are counted before they are checked', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const prove = () => call(seller, 'POST', paths.twoFactor, { password: wrongPassword });
  const codes: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    await aMinuteLater(stack);
    const answers = await Promise.all(Array.from({ length: limits.signInAttempts }, prove));
    codes.push(...answers.map(({ body }) => body.error.code));
  }
  expect(codes.filter((code) => code === 'WRONG_PASSWORD')).toHaveLength(limits.lockOutFailures);
  expect(await linesOf(stack, seller, 'locked-out')).toBe(1);
  expect(await lockMailsTo(stack, seller.email)).toBe(1);
});

test('a guess that cannot be checked does not count', async ({ stack }) => {
  const { place } = await endOfTwoFactor(stack);
  const { id } = place;
  const stored = (await stack.models.users.findById(id).lean())!.two_factor!.secret!;
  const store = (secret: string) =>
    stack.models.users.updateOne({ _id: id }, { $set: { 'two_factor.secret': secret } });
  await guess(stack, place, 'code', limits.lockOutFailures - 1);
  await store('sealed.with-another-key');
  expect((await place.take()).status).toBe(503);
  await aMinuteLater(stack);
  await store(stored);
  expect((await place.take()).status).toBe(204);
});

test('only two modules check passwords and codes: those that count', async () => {
  const checkers: string[] = [];
  for (const file of await readdir('server', { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const text = await readFile(`server/${file}`, 'utf8');
    if (/\b(?:verifyPassword|consumeCode)\(/.test(text.replaceAll(/function \w+\(/g, '')))
      checkers.push(file);
  }
  expect(checkers.toSorted()).toEqual(['accounts/reauthenticate.ts', 'accounts/sign-in/sign-in-guard.ts']);
});
