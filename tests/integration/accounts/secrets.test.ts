/** Every place that checks a password or code of an account counts, locks, records and mails the same way. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { type ErrorReply, limits, paths } from '#contract';
import { connectionOf } from '#shared/data/collection.ts';
import { anotherSession, call, codeOf, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { addPasskey } from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  resetSignInLimit,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

const test = testWithStack();

/** An account, and how to prove who one is at one place. */
interface Place {
  /** With its session where it is signed in. */
  seller: Pick<Seller, 'id' | 'email'> | Seller;
  /** Sends the password and the code; each is right unless given. */
  prove(given: { password?: string; code?: string | undefined }): Promise<Answer<unknown>>;
  wrongCode?: string;
}

const wrongPassword = 'Wrong-Horse-7';

/** A place that asks a seller with two-factor sign-in who is signed in. */
const inSession =
  (method: 'POST' | 'PATCH' | 'DELETE', path: string, rest: object = {}) =>
  async (stack: TestStack): Promise<Place> => {
    const { seller, secret } = await twoFactorSeller(stack);
    return {
      seller,
      wrongCode: wrongCode(secret),
      prove: (given) =>
        call<unknown>(seller, method, path, {
          ...{ password: testPassword, code: codeOf(secret, 1), ...rest },
          ...given,
        }),
    };
  };

const places: Record<string, (stack: TestStack) => Promise<Place>> = {
  async 'sign-in'(stack) {
    const { seller, secret } = await twoFactorSeller(stack);
    return {
      seller: { id: seller.id, email: seller.email },
      wrongCode: wrongCode(secret),
      prove: (given) =>
        createVisitor(stack.url).post(paths.session, {
          ...{ email: seller.email, password: testPassword, code: codeOf(secret, 1) },
          ...given,
        }),
    };
  },
  async 'the link of a sign-up, in another browser'(stack) {
    const form = signUpForm();
    await createVisitor(stack.url).post(paths.accounts, form);
    const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
    const user = await stack.models.users.findOne({ email: form.email }).lean();
    return {
      seller: { id: user!._id, email: form.email },
      prove: ({ password = testPassword }) =>
        createVisitor(stack.url).post(paths.verifyEmail, { token, password }),
    };
  },
  async 'the link in the mail to a new address'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const email = newAddress();
    const [code] = recoveryCodes;
    expect(await call(seller, 'POST', paths.email, { email, password: testPassword, code })).toMatchObject({
      status: 202,
    });
    const { token } = await tokenFromMail(stack, email, 'confirmEmail');
    return {
      seller: { id: seller.id, email: seller.email },
      wrongCode: wrongCode(secret),
      prove: (given) =>
        createVisitor(stack.url).post(paths.confirmEmail, {
          ...{ token, password: testPassword, code: codeOf(secret, 1) },
          ...given,
        }),
    };
  },
  async 'change of the password'(stack) {
    const place = await inSession('POST', paths.password, {
      newPassword: 'Quiet-Harbour-31',
      code: undefined,
    })(stack);
    return { seller: place.seller, prove: place.prove };
  },
  async 'begin of two-factor sign-in'(stack) {
    const seller = await stack.seller({ paid: false });
    return {
      seller,
      prove: ({ password = testPassword }) => call<unknown>(seller, 'POST', paths.twoFactor, { password }),
    };
  },
  async 'turning the activity log off'(stack) {
    const rest = { activityLogging: false, code: undefined };
    const { seller, prove } = await inSession('PATCH', paths.settings, rest)(stack);
    return { seller, prove };
  },
  'end of two-factor sign-in': inSession('DELETE', paths.twoFactor),
  'a new passkey': inSession('POST', paths.beginPasskey),
  async 'removal of a passkey'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const { reply } = await addPasskey(stack.url, seller, { code: recoveryCodes[0]! });
    return {
      seller,
      wrongCode: wrongCode(secret),
      prove: (given) =>
        call<unknown>(seller, 'DELETE', paths.passkey(reply.body.passkey.id), {
          ...{ password: testPassword, code: codeOf(secret, 1) },
          ...given,
        }),
    };
  },
  'new recovery codes': inSession('POST', paths.recoveryCodes),
  'change of the address': inSession('POST', paths.email, { email: newAddress() }),
  'export of all data': inSession('POST', paths.export),
  'deletion of the account': inSession('POST', paths.deletion),
};

/** Resets the limits of attempts a minute, as if their windows had passed. */
async function aMinuteLater(stack: TestStack): Promise<void> {
  await resetSignInLimit(stack.db);
  await connectionOf(stack.db).collection('session_attempts').deleteMany({});
}

/** Guesses wrongly, and expects that each guess is checked. */
async function guess(
  stack: TestStack,
  { prove, wrongCode: code }: Place,
  secret: 'password' | 'code',
  times: number,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await aMinuteLater(stack);
    const answer = await prove(secret === 'password' ? { password: wrongPassword } : { code: code! });
    expect([count, (answer.body as ErrorReply).error.code]).toEqual([
      count,
      expect.stringMatching(secret === 'code' ? /^CODE_INVALID$/ : /^(WRONG_PASSWORD|BAD_CREDENTIALS)$/),
    ]);
  }
  await aMinuteLater(stack);
}

const inSessionRefusal = `Too many failed attempts. Please try again in ${limits.lockOutMinutes} minutes, or sign in again.`;

/** Expects that the right password and code are refused, in words and with the time left. */
async function expectLocked({ seller, prove }: Place): Promise<void> {
  const answer = await prove({});
  expectError(answer, 'ACCOUNT_LOCKED', 'request' in seller ? { message: inSessionRefusal } : {});
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan((limits.lockOutMinutes - 1) * 60);
  expect(wait).toBeLessThanOrEqual(limits.lockOutMinutes * 60);
}

const linesOf = (stack: TestStack, seller: Pick<Seller, 'id'>, kind: 'sign-in-failed' | 'locked-out') =>
  stack.models.activities.countDocuments({ user_id: seller.id, kind });
const lockMailsTo = (stack: TestStack, { email }: Pick<Seller, 'email'>) =>
  stack.models.mails.countDocuments({ to: email, kind: { $in: ['accountLocked', 'sessionLocked'] } });

/** Places that ask for no code. */
const codeless = [
  'the link of a sign-up, in another browser',
  'change of the password',
  'begin of two-factor sign-in',
  'turning the activity log off',
];

describe.each(Object.entries(places))('%s', (name, placeOf) => {
  test.for(codeless.includes(name) ? (['password'] as const) : (['password', 'code'] as const))(
    'wrong guesses of the %s lock, with a line for each and one mail; the right one is then refused in words',
    async (secret, { stack }) => {
      const place = await placeOf(stack);
      expect(place.wrongCode === undefined).toBe(codeless.includes(name));
      await guess(stack, place, secret, limits.lockOutFailures);
      await expectLocked(place);
      expect(await linesOf(stack, place.seller, 'sign-in-failed')).toBe(limits.lockOutFailures);
      expect(await linesOf(stack, place.seller, 'locked-out')).toBe(1);
      // An address that nobody has confirmed is told of no lock.
      const isConfirmed = name !== 'the link of a sign-up, in another browser';
      expect(await lockMailsTo(stack, place.seller)).toBe(isConfirmed ? 1 : 0);
    },
  );

  test('the right ones set the counts to zero, and a code that is missing is asked for', async ({
    stack,
  }) => {
    const place = await placeOf(stack);
    await guess(stack, place, 'password', limits.lockOutFailures - 1);
    if (place.wrongCode !== undefined) {
      const { body } = await place.prove({ code: undefined });
      expect((body as ErrorReply).error.code).toMatch(/^CODE_REQUIRED$|^VALIDATION$/);
    }
    const right = await place.prove({});
    expect(right.status).toBeLessThan(300);
    expect(await linesOf(stack, place.seller, 'locked-out')).toBe(0);
    const count = await stack.models.sessions.countDocuments({
      user_id: place.seller.id,
      'wrong.password': { $gt: 0 },
    });
    expect(count).toBe(0);
  });
});

test('the right password does not reset the count of wrong codes, so that they cannot be guessed for ever', async ({
  stack,
}) => {
  const place = await places['end of two-factor sign-in']!(stack);
  const seller = place.seller as Seller;
  await guess(stack, place, 'code', limits.lockOutFailures - 1);
  const same = { password: testPassword, newPassword: testPassword };
  expectError(await call(seller, 'POST', paths.password, same), 'PASSWORD_REUSED');
  await guess(stack, place, 'code', 1);
  await expectLocked(place);
});

test('a locked session goes on, no other one is locked, and sign-in works', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const prove = (from: Seller, password: string) =>
    call<unknown>(from, 'POST', paths.twoFactor, { password });
  await guess(
    stack,
    { seller, prove: ({ password }) => prove(seller, password!) },
    'password',
    limits.lockOutFailures,
  );
  await expectLocked({ seller, prove: () => prove(seller, testPassword) });
  expect((await seller.request(paths.me)).status).toBe(200);
  const signedInAgain = await anotherSession(stack.url, seller);
  expect((await prove(signedInAgain, testPassword)).status).toBe(200);
});

test('the second lock of a session ends it, and a mail says so', async ({ stack }) => {
  const place = await places['end of two-factor sign-in']!(stack);
  const seller = place.seller as Seller;
  const other = await stack.models.sessions.create({
    ...(await stack.models.sessions.findOne({ user_id: seller.id }).lean())!,
    _id: 'another-session',
  });
  await guess(stack, place, 'code', limits.lockOutFailures);
  // An hour later.
  await stack.models.sessions.updateMany({ user_id: seller.id }, { locked_until: new Date() });
  await connectionOf(stack.db).collection('lock_mails').deleteMany({});
  await guess(stack, place, 'code', limits.lockOutFailures);
  expectError(await place.prove({}), 'UNAUTHENTICATED');
  const left = await stack.models.sessions.find({ user_id: seller.id }).lean();
  expect(left.map(({ _id }) => _id)).toEqual([other._id]);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'Too many wrong' });
  expect(await lockMailsTo(stack, seller)).toBe(2);
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
  expect(await lockMailsTo(stack, seller)).toBe(1);
});

test('a guess that cannot be checked does not count', async ({ stack }) => {
  const place = await places['end of two-factor sign-in']!(stack);
  const { id } = place.seller;
  const stored = (await stack.models.users.findById(id).lean())!.two_factor!.secret!;
  const store = (secret: string) =>
    stack.models.users.updateOne({ _id: id }, { $set: { 'two_factor.secret': secret } });
  await guess(stack, place, 'code', limits.lockOutFailures - 1);
  await store('sealed.with-another-key');
  expect((await place.prove({})).status).toBe(503);
  await aMinuteLater(stack);
  await store(stored);
  expect((await place.prove({})).status).toBe(204);
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
