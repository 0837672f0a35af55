/** Two-factor sign-in: turning it on and off, its codes and secrets, and its removal by an operator. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type ActivityList,
  type ErrorReply,
  limits,
  type OperatorSellerView,
  operatorPaths,
  paths,
  type RecoveryCodes,
  type SessionReply,
  type TwoFactorSetup,
} from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { sealSecrets } from '#server/accounts/two-factor/seal-secrets.ts';
import type { Log } from '#shared/platform/log.ts';
import { createSeal } from '#shared/platform/seal.ts';
import { call, codeOf, post, signIn, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { tokenFromMail } from '#tests/support/visitor.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack().extend('operator', { scope: 'file' }, ({ stack }) => operatorOf(stack));

const notBegun = { message: 'Setting up two-factor sign-in took too long. Please begin again.' };

test('two-factor sign-in is turned on with a code, reported by mail, and comes with ten recovery codes', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const early = { code: '123456' };
  expectError(await call(seller, 'POST', paths.confirmTwoFactor, early), 'TWO_FACTOR_OFF', notBegun);

  const { body: setup } = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, {
    password: testPassword,
  });
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(setup.uri);
  expect(decodeURIComponent(uri.pathname)).toContain(seller.email);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Packshot',
    secret: setup.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  const wrong = { code: wrongCode(setup.secret) };
  expectError(await call(seller, 'POST', paths.confirmTwoFactor, wrong), 'CODE_INVALID');
  // Full-width digits: six characters, but more than six bytes.
  expect((await call(seller, 'POST', paths.confirmTwoFactor, { code: '１２３４５６' })).status).toBe(401);
  expect((await seller.me()).user.twoFactorEnabled).toBe(false);
  // Until the set-up is confirmed, sign-in requires no code.
  expect((await signIn(stack.url, { email: seller.email })).status).toBe(200);

  const spaced = codeOf(setup.secret).replace(/^(...)/, '$1 ');
  const on = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, { code: spaced });
  expect(on.status).toBe(200);
  expect(new Set(on.body.recoveryCodes).size).toBe(10);
  for (const code of on.body.recoveryCodes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/);
  expect((await seller.me()).user.twoFactorEnabled).toBe(true);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'Two-factor' });
  expect(mail.text).toMatch(/on/i);
  const again = await call(seller, 'POST', paths.twoFactor, { password: testPassword });
  expectError(again, 'TWO_FACTOR_ON');
});

test('a set-up that is not confirmed in time must be started again', async ({ stack }) => {
  const seller = await stack.seller();
  const { body } = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const old = new Date(Date.now() - 16 * 60_000);
  await stack.models.users.updateOne({ _id: seller.id }, { $set: { 'two_factor_setup.at': old } });
  const late = { code: codeOf(body.secret) };
  expectError(await call(seller, 'POST', paths.confirmTwoFactor, late), 'TWO_FACTOR_OFF', notBegun);
});

test('sign-in requires a code, accepts each once, and refuses the one that two-factor was turned on with', async ({
  stack,
}) => {
  const { seller, secret, code: firstCode } = await twoFactorSeller(stack);
  const { email } = seller;
  expectError(await signIn(stack.url, { email }), 'CODE_REQUIRED');
  expectError(await signIn(stack.url, { email, code: firstCode }), 'CODE_INVALID');
  const code = codeOf(secret, 1);
  const answers = await Promise.all([signIn(stack.url, { email, code }), signIn(stack.url, { email, code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('one of four concurrent sign-ins with a recovery code succeeds, and a mail says how many codes are left', async ({
  stack,
}) => {
  const { seller, recoveryCodes } = await twoFactorSeller(stack);
  const { email } = seller;
  const code = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ');
  const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(stack.url, { email, code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  const mail = await stack.mails.waitForMail({ to: email, subject: 'recovery' });
  expect(mail.text).toContain('9');
  expect((await signIn(stack.url, { email, code: recoveryCodes[4]! })).status).toBe(200);
});

test('creating new recovery codes requires a code, and invalidates the old ones', async ({ stack }) => {
  const { seller, secret, recoveryCodes: old } = await twoFactorSeller(stack);
  const make = (body: object) => call<RecoveryCodes & ErrorReply>(seller, 'POST', paths.recoveryCodes, body);
  const code = codeOf(secret, 1);
  // Somebody at an unattended computer, who knows the password but does not have the phone.
  const field = { field: 'code', message: 'Please enter the code' };
  expectError(await make({ password: testPassword }), 'VALIDATION', field);
  expect((await stack.models.users.findById(seller.id).lean())?.two_factor?.recovery_codes).toHaveLength(10);
  const { status, body } = await make({ password: testPassword, code });
  expect(status).toBe(200);
  expect(body.recoveryCodes.filter((each) => old.includes(each))).toEqual([]);
  await stack.mails.waitForMail({ to: seller.email, subject: 'New recovery codes' });
  expect((await signIn(stack.url, { email: seller.email, code: old[0]! })).status).toBe(401);
  expect((await signIn(stack.url, { email: seller.email, code: body.recoveryCodes[0]! })).status).toBe(200);
});

test('a recovery code replaces the authenticator app for creating new codes and for turning two-factor off', async ({
  stack,
}) => {
  const { seller, recoveryCodes } = await twoFactorSeller(stack);
  const withCode = (code: string) => ({ password: testPassword, code });
  const made = await call<RecoveryCodes>(seller, 'POST', paths.recoveryCodes, withCode(recoveryCodes[0]!));
  expect(made.status).toBe(200);
  const off = (code: string) => call(seller, 'DELETE', paths.twoFactor, withCode(code));
  expectError(await off(recoveryCodes[1]!), 'CODE_INVALID');
  expect((await off(made.body.recoveryCodes[0]!)).status).toBe(204);
});

test('after turning two-factor off, sign-in requires no code', async ({ stack }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const off = (body: object) => call(seller, 'DELETE', paths.twoFactor, body);
  const code = codeOf(secret, 1);
  expect((await off({ password: testPassword, code })).status).toBe(204);
  expect((await off({ password: testPassword, code })).body.error.code).toBe('TWO_FACTOR_OFF');
  expectError(
    await call(seller, 'POST', paths.recoveryCodes, { password: testPassword, code }),
    'TWO_FACTOR_OFF',
  );
  const again = await signIn(stack.url, { email: seller.email });
  expect(again.status).toBe(200);
  expect((again.body as SessionReply).user.twoFactorEnabled).toBe(false);
  expect((await stack.models.users.findById(seller.id).lean())?.two_factor).toBeNull();
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  const kinds = activities.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['two-factor-on', 'two-factor-off']));
});

test('guesses of the code are limited even with a session and the right password', async ({ stack }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const guess = () =>
    call(seller, 'DELETE', paths.twoFactor, { password: testPassword, code: wrongCode(secret) });
  const codes: string[] = [];
  for (let each = 0; each < 6; each += 1) codes.push((await guess()).body.error.code);
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'CODE_INVALID'), 'RATE_LIMITED']);
});

test('a two-factor secret is stored sealed for its seller, while it waits for its first code and after', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const begun = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const { secret } = begun.body;
  const waiting = await stack.models.users.findById(seller.id).lean();
  expect(waiting?.two_factor_setup?.secret).toMatch(/^sealed\./);
  await call(seller, 'POST', paths.confirmTwoFactor, { code: codeOf(secret) });
  const stored = (await stack.models.users.findById(seller.id).lean())!.two_factor!.secret!;
  expect(stored).toMatch(/^sealed\./);
  // The secret of one seller does not work for another one.
  const other = await twoFactorSeller(stack);
  await stack.models.users.updateOne({ _id: other.seller.id }, { $set: { 'two_factor.secret': stored } });
  const { status, body } = await signIn(stack.url, { email: other.seller.email, code: codeOf(secret, 1) });
  expect([status, body.error.message]).toEqual([
    503,
    "We can't check codes of your app right now. Please use a recovery code.",
  ]);
  await stack.models.users.updateOne({ _id: other.seller.id }, { $set: { two_factor: null } });
  expect((await signIn(stack.url, { email: seller.email, code: codeOf(secret, 1) })).status).toBe(200);
});

test('secrets that are sealed with an old key go on working, and a server that starts seals them again', async ({
  stack,
}) => {
  const [old, lost] = [await twoFactorSeller(stack), await twoFactorSeller(stack)];
  const store = (id: string, secret: string) =>
    stack.models.users.updateOne({ _id: id }, { $set: { 'two_factor.secret': secret } });
  const [oldKey, newKey] = [randomUUID(), randomUUID()];
  await store(old.seller.id, createSeal([oldKey]).seal(old.secret, old.seller.id));
  await store(lost.seller.id, createSeal([randomUUID()]).seal(lost.secret, lost.seller.id));
  const sealingSecrets = [newKey, oldKey, ...stack.config.sealingSecrets];
  const lines: unknown[] = [];
  const record = (line: unknown) => lines.push(line);
  const log = { info: record, error: record } as unknown as Log;
  const context = { db: stack.db, config: { ...stack.config, sealingSecrets }, log };
  await sealSecrets(context);
  const secretOf = async ({ seller }: typeof old) =>
    (await stack.models.users.findById(seller.id).lean())!.two_factor!.secret!;
  const onlyNew = createSeal([newKey]);
  expect(onlyNew.open(await secretOf(old), old.seller.id)).toBe(old.secret);
  expect(lines).toEqual([{ sealed: expect.any(Number) }, { unreadable: 1 }]);
  // Whose key is lost has the recovery codes.
  const [recovery] = lost.recoveryCodes;
  expect((await signIn(stack.url, { email: lost.seller.email, code: recovery! })).status).toBe(200);
  lines.length = 0;
  await sealSecrets(context);
  expect(lines).toEqual([{ unreadable: 1 }]);
});

// A seller who cannot give a code any more: an operator has two-factor sign-in removed, slowly; the installation's owner at once.

const reason = 'Showed a passport in a call';
const act = (operator: Seller, id: string, action: 'ask' | 'stop') =>
  call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerAction(id, `${action}-two-factor-removal`), {
    reason,
  });

const linesAbout = async (stack: TestStack, target: string) => {
  const rows = await stack.models.operatorActions.find({ target }).sort({ at: 1 }).lean();
  return rows.map(({ action, operator_name: by, outcome, reason: why }) => [action, by, outcome, why]);
};

/** As if the time in which the seller can stop it had passed. */
async function waitOut(stack: TestStack, sellerId: string): Promise<void> {
  const due = new Date(Date.now() - 1_000);
  await stack.models.users.updateOne(
    { _id: sellerId, two_factor_removal: { $ne: null } },
    { $set: { 'two_factor_removal.due_at': due } },
  );
  await runUpkeep(workerContext(stack), atOnce);
}

test('after the waiting time two-factor sign-in is removed, with mails before and after and every step in the log', async ({
  stack,
  operator,
}) => {
  const { seller } = await twoFactorSeller(stack);
  const { id, email } = seller;
  const delayMs = limits.factorRemovalHours * 3_600_000;
  const earliest = Date.now() + delayMs;
  const asked = await act(operator, id, 'ask');
  const dueAt = Date.parse(asked.body.twoFactorRemovalDueAt!);
  expect(dueAt).toBeGreaterThanOrEqual(earliest);
  expect(dueAt).toBeLessThanOrEqual(Date.now() + delayMs);
  expectError(await act(operator, id, 'ask'), 'NOT_REPEATABLE');
  await stack.mails.waitForMail({ to: email, subject: 'will be turned off' });
  await runUpkeep(workerContext(stack), atOnce);
  expectError(await signIn(stack.url, { email }), 'CODE_REQUIRED');

  await waitOut(stack, id);
  const mail = await stack.mails.waitForMail({ to: email, subject: 'sign-in was turned off' });
  expect(mail.text).toContain('Our support turned off two-factor sign-in');
  await expect.poll(async () => (await seller.request(paths.me)).status).toBe(401);
  expect((await signIn(stack.url, { email })).status).toBe(200);
  expect(await linesAbout(stack, id)).toEqual([
    ['ask-two-factor-removal', operator.email, 'done', reason],
    ['ask-two-factor-removal', operator.email, 'refused', reason],
    ['remove-two-factor', 'upkeep', 'done', ''],
  ]);
  expect(await stack.models.activities.countDocuments({ user_id: id, kind: 'two-factor-off' })).toBe(1);
  await runUpkeep(workerContext(stack), atOnce);
  expect(await stack.models.mails.countDocuments({ to: email, kind: 'twoFactorRemoved' })).toBe(1);
  expectError(await act(operator, id, 'ask'), 'TWO_FACTOR_OFF');
});

/** What stops a removal, and how the audit log has it. */
const stops: Readonly<
  Record<
    string,
    (context: {
      stack: TestStack;
      operator: Seller;
      email: string;
      id: string;
      secret: string;
    }) => Promise<{ status: number }>
  >
> = {
  'a sign-in with a code': ({ stack, email, secret }) =>
    signIn(stack.url, { email, code: codeOf(secret, 1) }),
  async 'the link in the mail'({ stack, email }) {
    const { token } = await tokenFromMail(stack, email, 'keepTwoFactor');
    const kept = await post(stack.url, paths.keepTwoFactor, { token });
    expectError(await post(stack.url, paths.keepTwoFactor, { token }), 'TOKEN_INVALID');
    return kept;
  },
  'an operator': ({ operator, id }) => act(operator, id, 'stop'),
};

test.for(Object.keys(stops))('%s stops it', async (name, { stack, operator }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const { id, email } = seller;
  await act(operator, id, 'ask');
  expect((await stops[name]!({ stack, operator, id, email, secret })).status).toBeLessThan(300);
  await waitOut(stack, id);
  expectError(await signIn(stack.url, { email }), 'CODE_REQUIRED');
  expect((await linesAbout(stack, id)).map(([action, , outcome]) => [action, outcome])).toEqual([
    ['ask-two-factor-removal', 'done'],
    ['stop-two-factor-removal', 'done'],
  ]);
  expect((await call<OperatorSellerView>(operator, 'GET', operatorPaths.seller(id))).body).toMatchObject({
    twoFactorRemovalDueAt: null,
  });
});

test('a thief who changes the password cannot take the link away', async ({ stack, operator }) => {
  const { seller } = await twoFactorSeller(stack);
  await act(operator, seller.id, 'ask');
  const { password } = seller;
  await call(seller, 'POST', paths.password, { password, newPassword: 'Newer-Horse-8' });
  const { token } = await tokenFromMail(stack, seller.email, 'keepTwoFactor');
  expect((await post(stack.url, paths.keepTwoFactor, { token })).status).toBe(204);
});

test('the command removes it at once, with address and reason, a mail and a line in the log', async ({
  stack,
}) => {
  const { seller } = await twoFactorSeller(stack);
  const { id, email } = seller;
  const run = async (...args: string[]) => accountAction(['reset-two-factor', ...args])(stack.db);
  await expect(run(email)).rejects.toThrow('Please say why');
  expect(await run(email, reason)).toContain('signs in with the password only now');
  expect((await signIn(stack.url, { email })).status).toBe(200);
  expect(await stack.models.sessions.countDocuments({ user_id: id })).toBe(1);
  await stack.mails.waitForMail({ to: email, subject: 'sign-in was turned off' });
  await expect(run(email, reason)).rejects.toThrow('has no two-factor sign-in');
  expect(await linesAbout(stack, id)).toEqual([
    ['remove-two-factor', 'command line', 'done', reason],
    ['remove-two-factor', 'command line', 'refused', reason],
  ]);
});
