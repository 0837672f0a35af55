/** Passkeys: adding, renaming and removing them, and signing in with them. */
import { expect } from 'vitest';
import {
  type ActivityList,
  type ErrorReply,
  type FactorList,
  limits,
  type PasskeyView,
  paths,
  type RecoveryCodes,
  type SessionReply,
  type TwoFactorSetup,
} from '#contract';
import { anotherSession, call, codeOf, signIn, twoFactorSeller } from '#tests/support/account.ts';
import {
  addPasskey,
  answer,
  askChallenge,
  codeOfPasskey,
  type Passkey,
  passkeySeller,
} from '#tests/support/authenticator.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor } from '#tests/support/visitor.ts';

const test = testWithStack();

/** How an account without an app is asked for a second factor. */
const passkeyAsked = { message: 'Please use your passkey, or enter a recovery code.' };

async function signInWith(stack: TestStack, passkey: Passkey, visitor = createVisitor(stack.url)) {
  const assertion = answer(stack.url, passkey, await askChallenge(visitor));
  return (await visitor.post(paths.passkeySession, assertion)) as Answer<SessionReply & ErrorReply>;
}

const kindsOf = async (seller: Seller) => {
  const { body } = await call<ActivityList>(seller, 'GET', paths.activity);
  return body.activities.map(({ kind, newKind }) => newKind ?? kind);
};

test('the first passkey turns two-factor sign-in on, gives recovery codes, is told by mail, and ends other sessions', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const other = await anotherSession(stack.url, seller);
  expectError(
    await call(seller, 'POST', paths.beginPasskey, { password: 'Wrong-Horse-7' }),
    'WRONG_PASSWORD',
  );
  const { passkey, reply } = await addPasskey(stack.url, seller, { name: 'Work laptop' });
  expect(reply).toMatchObject({ status: 201, body: { passkey: { name: 'Work laptop', lastUsedAt: null } } });
  expect(new Set(reply.body.recoveryCodes).size).toBe(limits.recoveryCodes);
  expect((await seller.me()).user.twoFactorEnabled).toBe(true);
  expectError(await call(other, 'GET', paths.me), 'UNAUTHENTICATED');
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'passkey was added' });
  expect(mail.text).toContain('Work laptop');
  expect(mail.text).toContain('Two-factor sign-in is now on');
  const list = await call<FactorList>(seller, 'GET', paths.passkeys);
  expect(list.body).toEqual({ app: false, passkeys: [reply.body.passkey] });
  expect(await kindsOf(seller)).toContain('passkey-added');
  // By a random name, not by the address or the seller's id.
  const handle = Buffer.from(passkey.userHandle, 'base64url');
  expect(handle).toHaveLength(32);
});

test('signing in with a passkey takes neither address nor password, and counts as both factors', async ({
  stack,
}) => {
  const { seller, passkey } = await passkeySeller(stack);
  const visitor = createVisitor(
    stack.url,
    'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  );
  const asked = await askChallenge(visitor);
  expect(asked).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  const reply = await visitor.post(paths.passkeySession, answer(stack.url, passkey, asked));
  expect(reply).toMatchObject({ status: 200, body: { user: { id: seller.id, twoFactorEnabled: true } } });
  expect((await visitor.request(paths.me)).status).toBe(200);
  const sessions = await stack.models.sessions.find({ user_id: seller.id }).lean();
  expect(sessions.map(({ factors }) => factors)).toContainEqual(['passkey']);
  await stack.mails.waitForMail({ to: seller.email, subject: 'New sign-in' });
  expect(await kindsOf(seller)).toContain('signed-in');
  expect(await stack.models.knownDevices.countDocuments({ user_id: seller.id })).toBe(1);
  const { body } = await call<FactorList>(seller, 'GET', paths.passkeys);
  expect(body.passkeys[0]!.lastUsedAt).not.toBeNull();
});

test('a passkey or a recovery code is the second step after the password', async ({ stack }) => {
  const { seller, passkey, recoveryCodes } = await passkeySeller(stack);
  const { email } = seller;
  const asked = await signIn(stack.url, { email });
  expectError(asked, 'CODE_REQUIRED', passkeyAsked);
  expect(asked.body.error.factors).toEqual(['passkey']);
  const visitor = createVisitor(stack.url);
  const assertion = answer(stack.url, passkey, await askChallenge(visitor));
  const { code } = (await visitor.post(paths.passkeyCode, assertion)).body as { code: string };
  const answers = await Promise.all([signIn(stack.url, { email, code }), signIn(stack.url, { email, code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  const sessions = await stack.models.sessions.find({ user_id: seller.id }).lean();
  expect(sessions.map(({ factors }) => factors)).toContainEqual(['password', 'passkey']);
  expect((await signIn(stack.url, { email, code: recoveryCodes[0]! })).status).toBe(200);
});

test('a code of a passkey works for its seller only, and for minutes', async ({ stack }) => {
  const [one, other] = [await passkeySeller(stack), await passkeySeller(stack)];
  const code = await codeOfPasskey(stack.url, one.seller, one.passkey);
  expectError(await signIn(stack.url, { email: other.seller.email, code }), 'CODE_INVALID');
  const past = new Date(Date.now() - 1_000);
  await stack.models.passkeyChallenges.updateMany({}, { $set: { expires_at: past } });
  expectError(await signIn(stack.url, { email: one.seller.email, code }), 'CODE_INVALID');
});

test('whatever asks for a code takes a passkey: recovery codes, change of address, deletion', async ({
  stack,
}) => {
  const { seller, passkey } = await passkeySeller(stack);
  const code = () => codeOfPasskey(stack.url, seller, passkey);
  const password = testPassword;
  const made = await call<RecoveryCodes>(seller, 'POST', paths.recoveryCodes, {
    password,
    code: await code(),
  });
  expect(made.body.recoveryCodes).toHaveLength(limits.recoveryCodes);
  const email = `new-${seller.email}`;
  expectError(await call(seller, 'POST', paths.email, { password, email }), 'CODE_REQUIRED', passkeyAsked);
  expect((await call(seller, 'POST', paths.email, { password, email, code: await code() })).status).toBe(202);
  expect((await call(seller, 'POST', paths.deletion, { password, code: await code() })).status).toBe(204);
  const visitor = createVisitor(stack.url);
  expectError(await signInWith(stack, passkey, visitor), 'PASSKEY_REFUSED');
});

test('another passkey and an authenticator app take a code of the first factor; two-factor ends with the last one', async ({
  stack,
}) => {
  const { seller, passkey, view } = await passkeySeller(stack);
  const password = testPassword;
  const code = () => codeOfPasskey(stack.url, seller, passkey);
  expectError(await call(seller, 'POST', paths.beginPasskey, { password }), 'CODE_REQUIRED', passkeyAsked);
  const second = await addPasskey(stack.url, seller, { code: await code() });
  expect(second.reply.body.recoveryCodes).toEqual([]);
  expectError(await call(seller, 'POST', paths.twoFactor, { password }), 'CODE_REQUIRED', passkeyAsked);
  const setup = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password, code: await code() });
  const { secret } = setup.body;
  const confirmed = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, {
    code: codeOf(secret),
  });
  expect(confirmed).toMatchObject({ status: 200, body: { recoveryCodes: [] } });
  expect((await call<FactorList>(seller, 'GET', paths.passkeys)).body).toMatchObject({ app: true });
  expect((await signIn(stack.url, { email: seller.email, code: codeOf(secret, 1) })).status).toBe(200);

  const remove = async (id: string, by = code) =>
    call(seller, 'DELETE', paths.passkey(id), { password, code: await by() });
  expect((await remove(second.reply.body.passkey.id)).status).toBe(204);
  expectError(await signInWith(stack, second.passkey), 'PASSKEY_REFUSED');
  const off = await call(seller, 'DELETE', paths.twoFactor, { password, code: await code() });
  expect(off.status).toBe(204);
  expect((await seller.me()).user.twoFactorEnabled).toBe(true);
  expect((await remove(view.id)).status).toBe(204);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'passkey was removed' });
  expect(mail.text).toContain(view.name);
  expect((await seller.me()).user.twoFactorEnabled).toBe(false);
  expect((await stack.models.users.findById(seller.id).lean())?.two_factor).toBeNull();
  expect(await kindsOf(seller)).toContain('passkey-removed');
  expectError(await signInWith(stack, passkey), 'PASSKEY_REFUSED');
  expect((await signIn(stack.url, { email: seller.email })).status).toBe(200);
});

test('a passkey beside an authenticator app is asked for beside it', async ({ stack }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const { reply } = await addPasskey(stack.url, seller, { code: codeOf(secret, 1) });
  expect(reply).toMatchObject({ status: 201, body: { recoveryCodes: [] } });
  const asked = await signIn(stack.url, { email: seller.email });
  expect(asked.body.error.factors).toEqual(['app', 'passkey']);
});

test('a passkey is renamed by its seller only, and an account has a limited number', async ({ stack }) => {
  const { seller, passkey, view } = await passkeySeller(stack);
  const other = await stack.seller({ paid: false });
  const name = 'Mein Handy 📱';
  const renamed = await call<PasskeyView>(seller, 'PATCH', paths.passkey(view.id), { name });
  expect(renamed).toMatchObject({ status: 200, body: { id: view.id, name } });
  expectError(await call(other, 'PATCH', paths.passkey(view.id), { name }), 'NOT_FOUND');
  const tooLong = { name: 'x'.repeat(limits.passkeyNameCharacters + 1) };
  expectError(await call(seller, 'PATCH', paths.passkey(view.id), tooLong), 'VALIDATION', {
    field: 'name',
    message: `Please use at most ${limits.passkeyNameCharacters} characters`,
  });
  const { passkeys } = (await stack.models.users.findById(seller.id).lean())!.two_factor!;
  const copies = Array.from({ length: limits.passkeys - 1 }, (_, each) => ({
    ...passkeys![0]!,
    id: `${each}`,
    credential: `${seller.id}-${each}`,
  }));
  await stack.models.users.updateOne(
    { _id: seller.id },
    { $push: { 'two_factor.passkeys': { $each: copies } } },
  );
  const code = await codeOfPasskey(stack.url, seller, passkey);
  expectError(
    await call(seller, 'POST', paths.beginPasskey, { password: testPassword, code }),
    'PASSKEY_LIMIT',
  );
});

test('of two first passkeys at once one is added', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const added = await Promise.all([addPasskey(stack.url, seller), addPasskey(stack.url, seller)]);
  expect(added.map(({ reply }) => reply.status).sort()).toEqual([201, 400]);
  const stored = await stack.models.users.findById(seller.id).lean();
  expect(stored?.two_factor?.passkeys).toHaveLength(1);
});

test('accounts that may not sign in with a password may not with a passkey either', async ({ stack }) => {
  const { seller, passkey } = await passkeySeller(stack);
  const set = (fields: object) => stack.models.users.updateOne({ _id: seller.id }, { $set: fields });
  await set({ sign_up: 'somebody' });
  expectError(await signInWith(stack, passkey), 'EMAIL_UNVERIFIED');
  await set({ sign_up: null });
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { disabled_at: new Date() } });
  expectError(await signInWith(stack, passkey), 'ACCOUNT_DISABLED');
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { deletion_asked_at: new Date() }, $unset: { disabled_at: '' } },
  );
  expectError(await signInWith(stack, passkey), 'PASSKEY_REFUSED');
});

test('the export names passkeys without what they are checked by', async ({ stack }) => {
  const { seller, view } = await passkeySeller(stack);
  const user = (await stack.models.users.findById(seller.id).lean())!;
  const profile = (await stack.models.profiles.findById(seller.id).lean())!;
  const { profileOf } = await import('#server/accounts/export/export-files.ts');
  const exported = JSON.stringify(profileOf(user, profile));
  expect(exported).toContain(view.name);
  const { public_key, credential } = user.two_factor!.passkeys![0]!;
  expect(exported).not.toContain(public_key);
  expect(exported).not.toContain(credential);
});

test('a passkey is of one account only', async ({ stack }) => {
  const [one, other] = [await passkeySeller(stack), await passkeySeller(stack)];
  const { two_factor: taken } = (await stack.models.users.findById(one.seller.id).lean())!;
  const write = stack.models.users.updateOne(
    { _id: other.seller.id },
    { $push: { 'two_factor.passkeys': taken!.passkeys![0]! } },
  );
  await expect(write).rejects.toThrow(/duplicate key/);
});
