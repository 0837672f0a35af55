/** What somebody without the passkey tries, or with a page of another site, a copy, or another account. */
import { expect } from 'vitest';
import {
  type AddedPasskey,
  type ErrorReply,
  limits,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  paths,
  type SessionReply,
} from '#contract';
import { call } from '#tests/support/account.ts';
import {
  addPasskey,
  answer,
  askChallenge,
  makePasskey,
  type Odd,
  passkeySeller,
} from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, resetSignInLimit, type Visitor } from '#tests/support/visitor.ts';

const test = testWithStack();

type SignedIn = Answer<SessionReply & ErrorReply>;

/** Both places that take the answer of a passkey without a session. */
const places = [paths.passkeySession, paths.passkeyCode];

const send = async (visitor: Visitor, assertion: PasskeyAssertion, place: string = paths.passkeySession) =>
  (await visitor.post(place, assertion)) as SignedIn;

/** What is wrong with an answer. */
const oddities: Record<string, (stack: TestStack) => Odd> = {
  'from a page of another origin': () => ({ origin: 'https://packshot.example.evil' }),
  'from the same host with another port': (stack) => ({ origin: stack.url.replace(/\d+$/, '1') }),
  'for another site': () => ({ rpId: 'evil.example' }),
  'without asking who holds it': () => ({ unverified: true }),
  'of the making of a passkey': () => ({ type: 'webauthn.create' }),
  'to a challenge that nobody gave out': () => ({ challenge: 'A'.repeat(43) }),
};

test.for(places)('%s takes no answer that is not exactly right', async (place, { stack }) => {
  const { seller, passkey } = await passkeySeller(stack);
  const visitor = createVisitor(stack.url);
  for (const [name, odd] of Object.entries(oddities)) {
    await resetSignInLimit(stack.db);
    const assertion = answer(stack.url, passkey, await askChallenge(visitor), odd(stack));
    expect([name, (await send(visitor, assertion, place)).body.error?.code]).toEqual([
      name,
      'PASSKEY_REFUSED',
    ]);
  }
  await resetSignInLimit(stack.db);
  const right = answer(stack.url, passkey, await askChallenge(visitor));
  const changed = structuredClone(right);
  changed.response.signature = `${right.response.signature.slice(0, -6)}AAAAAA`;
  expectError(await send(visitor, changed, place), 'PASSKEY_REFUSED');
  // Even a right one does not get a second try with the same challenge.
  expectError(await send(visitor, right, place), 'PASSKEY_REFUSED');
  expect((await seller.me()).user.id).toBe(seller.id);
});

test.for(places)(
  '%s takes an answer once, also of two requests at the same time',
  async (place, { stack }) => {
    const { passkey } = await passkeySeller(stack);
    const visitor = createVisitor(stack.url);
    const assertion = answer(stack.url, passkey, await askChallenge(visitor));
    const both = await Promise.all([send(visitor, assertion, place), send(visitor, assertion, place)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectError(await send(visitor, assertion, place), 'PASSKEY_REFUSED');
  },
);

test.for(places)(
  '%s takes no answer from another browser or session, or after its time',
  async (place, { stack }) => {
    const { seller, passkey } = await passkeySeller(stack);
    const [asked, other] = [createVisitor(stack.url), createVisitor(stack.url)];
    await askChallenge(other);
    expectError(
      await send(other, answer(stack.url, passkey, await askChallenge(asked)), place),
      'PASSKEY_REFUSED',
    );
    expectError(
      await send(createVisitor(stack.url), answer(stack.url, passkey, await askChallenge(asked)), place),
      'PASSKEY_REFUSED',
    );
    // One that was given out in a session.
    const inSession = await call<PasskeyRequestOptions>(seller, 'POST', paths.passkeyChallenge);
    expect(inSession.body.allowCredentials.map(({ id }) => id)).toEqual([passkey.id]);
    expectError(await send(other, answer(stack.url, passkey, inSession.body), place), 'PASSKEY_REFUSED');
    const late = answer(stack.url, passkey, await askChallenge(asked));
    const past = new Date(Date.now() - 1_000);
    await stack.models.passkeyChallenges.updateMany({}, { $set: { expires_at: past } });
    expectError(await send(asked, late, place), 'PASSKEY_REFUSED');
  },
);

test.for(places)(
  '%s takes no passkey of another account, and none that is unknown',
  async (place, { stack }) => {
    const [owner, thief] = [await passkeySeller(stack), await passkeySeller(stack)];
    const visitor = createVisitor(stack.url);
    const mixed = [
      { ...thief.passkey, id: owner.passkey.id },
      { ...thief.passkey, id: owner.passkey.id, userHandle: owner.passkey.userHandle },
      { ...thief.passkey, userHandle: owner.passkey.userHandle },
      { ...thief.passkey, id: 'dW5rbm93bg' },
    ];
    for (const passkey of mixed) {
      await resetSignInLimit(stack.db);
      expectError(
        await send(visitor, answer(stack.url, passkey, await askChallenge(visitor)), place),
        'PASSKEY_REFUSED',
      );
    }
  },
);

test.for(places)(
  '%s refuses a passkey whose counter did not grow: it may be a copy',
  async (place, { stack }) => {
    const { seller, passkey } = await passkeySeller(stack);
    const visitor = createVisitor(stack.url);
    const use = async (counter: number) =>
      (await send(visitor, answer(stack.url, { ...passkey, counter }, await askChallenge(visitor)), place))
        .status;
    expect([await use(0), await use(7), await use(7), await use(6), await use(0), await use(8)]).toEqual([
      200, 200, 401, 401, 401, 200,
    ]);
    const stored = await stack.models.users.findById(seller.id).lean();
    expect(stored?.two_factor?.passkeys?.[0]?.counter).toBe(8);
  },
);

test('a passkey that is synchronised between devices may count on each of them', async ({ stack }) => {
  const { passkey } = await passkeySeller(stack);
  const visitor = createVisitor(stack.url);
  const use = async (counter: number) => {
    const assertion = answer(stack.url, { ...passkey, counter }, await askChallenge(visitor), {
      synchronised: true,
    });
    return (await send(visitor, assertion)).status;
  };
  expect([await use(5), await use(2), await use(0)]).toEqual([200, 200, 200]);
});

test('wrong answers for a passkey lock as wrong passwords do, and one that is locked out is told so', async ({
  stack,
}) => {
  const { seller, passkey } = await passkeySeller(stack);
  const visitor = createVisitor(stack.url);
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    await resetSignInLimit(stack.db);
    const assertion = answer(stack.url, passkey, await askChallenge(visitor), { unverified: true });
    expectError(await send(visitor, assertion), 'PASSKEY_REFUSED');
  }
  const right = answer(stack.url, passkey, await askChallenge(visitor));
  expect((await send(visitor, right)).body.error.code).toBe('ACCOUNT_LOCKED');
  await stack.mails.waitForMail({ to: seller.email, subject: 'Too many wrong passwords' });
});

test('a new passkey must be right as well: of this session, this site, and verified', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const thief = await stack.seller({ paid: false });
  const begin = async (of: Seller) =>
    (await call<PasskeyCreationOptions>(of, 'POST', paths.beginPasskey, { password: testPassword })).body;
  const add = (of: Seller, options: PasskeyCreationOptions, odd: Odd = {}) => {
    const { credential } = makePasskey(stack.url, options, odd);
    return call<AddedPasskey & ErrorReply>(of, 'POST', paths.passkeys, { credential });
  };
  for (const odd of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { unverified: true },
    { type: 'webauthn.get' },
    { challenge: 'A'.repeat(43) },
  ]) {
    expectError(await add(seller, await begin(seller), odd), 'PASSKEY_NOT_ADDED');
  }
  const options = await begin(seller);
  expectError(await add(thief, options), 'PASSKEY_NOT_ADDED');
  expect((await add(seller, options)).status).toBe(201);
  expectError(await add(seller, options), 'PASSKEY_NOT_ADDED');
  expect((await stack.models.users.findById(thief.id).lean())?.two_factor).toBeNull();
});

test('a challenge that was given for the password alone is void once two-factor sign-in is on', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const begun = await call<PasskeyCreationOptions>(seller, 'POST', paths.beginPasskey, {
    password: testPassword,
  });
  expect((await addPasskey(stack.url, seller)).reply.status).toBe(201);
  const { credential } = makePasskey(stack.url, begun.body);
  expectError(await call(seller, 'POST', paths.passkeys, { credential }), 'PASSKEY_NOT_ADDED');
});

test('the undo link of the old address removes a young passkey and keeps an old one', async ({ stack }) => {
  const { factorsFromBefore } = await import('#shared/data/accounts/factor-rules.ts');
  const { seller } = await passkeySeller(stack);
  const { users } = stack.models;
  const stored = (await users.findById(seller.id).lean())!.two_factor!;
  const [young] = stored.passkeys!;
  const old = { ...young!, id: 'old', credential: `old-${seller.id}`, created_at: new Date(0) };
  const recover = async (two_factor: object) => {
    await users.updateOne({ _id: seller.id }, { $set: { two_factor } });
    await users.updateOne(
      { _id: seller.id },
      [{ $set: { two_factor: factorsFromBefore(new Date(Date.now() - 60_000)) } }],
      { updatePipeline: true },
    );
    const left = (await users.findById(seller.id).lean())!.two_factor;
    return left && [left.secret, left.passkeys?.map(({ id }) => id)];
  };
  expect(await recover(stored)).toBeNull();
  expect(await recover({ ...stored, passkeys: [old, young] })).toEqual([null, ['old']]);
  const app = { secret: 'sealed.secret', since: new Date(0) };
  expect(await recover({ ...stored, ...app })).toEqual(['sealed.secret', []]);
  expect(await recover({ ...stored, ...app, app_since: new Date() })).toBeNull();
  expect(await recover({ ...stored, ...app, passkeys: [] })).toEqual(['sealed.secret', []]);
});
