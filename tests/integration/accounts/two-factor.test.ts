import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ActivityList,
  paths,
  type RecoveryCodes,
  type SessionReply,
  type TwoFactorSetup,
} from '../../../shared/contract/index.ts';
import { call, codeOf, signIn, wrongCode } from '../../support/account.ts';
import { type Seller, testPassword } from '../../support/seller.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack?.close());

/** A seller who has turned it on with the present code; later ones still work. */
async function protectedSeller(): Promise<{ seller: Seller; secret: string; recoveryCodes: string[] }> {
  const seller = await stack.seller();
  const setup = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const { secret } = setup.body;
  const { status, body } = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, {
    code: codeOf(secret),
  });
  expect(status).toBe(200);
  return { seller, secret, recoveryCodes: body.recoveryCodes };
}

test('it is turned on with the first code, told of by mail, and gives ten recovery codes', async () => {
  const seller = await stack.seller();
  const wrong = await call(seller, 'POST', paths.twoFactor, { password: 'Wrong-Horse-7' });
  expect([wrong.status, wrong.body.error.code]).toEqual([403, 'WRONG_PASSWORD']);
  const early = await call(seller, 'POST', paths.confirmTwoFactor, { code: '123456' });
  expect([early.status, early.body.error.code]).toEqual([409, 'TWO_FACTOR_OFF']);

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
  const notYet = await call(seller, 'POST', paths.confirmTwoFactor, { code: wrongCode(setup.secret) });
  expect([notYet.status, notYet.body.error.code]).toEqual([401, 'CODE_INVALID']);
  // Digits of another script are six characters and more bytes.
  expect((await call(seller, 'POST', paths.confirmTwoFactor, { code: '１２３４５６' })).status).toBe(401);
  expect((await seller.me()).user.twoFactorEnabled).toBe(false);
  // A set-up that was not finished protects nothing and asks for nothing.
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
  expect([again.status, again.body.error.code]).toEqual([409, 'TWO_FACTOR_ON']);
});

test('a set-up that was left for long is begun anew', async () => {
  const seller = await stack.seller();
  const { body } = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const old = new Date(Date.now() - 16 * 60_000);
  await stack.data.users.updateOne({ _id: seller.id }, { $set: { 'two_factor_setup.at': old } });
  const late = await call(seller, 'POST', paths.confirmTwoFactor, { code: codeOf(body.secret) });
  expect([late.status, late.body.error.code]).toEqual([409, 'TWO_FACTOR_OFF']);
});

test('sign-in asks for a code, takes each once, and refuses the one it was turned on with', async () => {
  const { seller, secret } = await protectedSeller();
  const { email } = seller;
  const asked = await signIn(stack.url, { email });
  expect([asked.status, asked.body.error.code]).toEqual([401, 'CODE_REQUIRED']);
  const used = await signIn(stack.url, { email, code: codeOf(secret) });
  expect([used.status, used.body.error.code]).toEqual([401, 'CODE_INVALID']);

  const code = codeOf(secret, 1);
  const answers = await Promise.all([signIn(stack.url, { email, code }), signIn(stack.url, { email, code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a recovery code works once in place of a code, also for two at the same time, and a mail says how many are left', async () => {
  const { seller, recoveryCodes } = await protectedSeller();
  const { email } = seller;
  const code = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ');
  const answers = await Promise.all([signIn(stack.url, { email, code }), signIn(stack.url, { email, code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  const mail = await stack.mails.waitForMail({ to: email, subject: 'recovery' });
  expect(mail.text).toContain('9');
  expect((await signIn(stack.url, { email, code: recoveryCodes[4]! })).status).toBe(200);
});

test('new recovery codes make the old ones void', async () => {
  const { seller, recoveryCodes: old } = await protectedSeller();
  const wrong = await call(seller, 'POST', paths.recoveryCodes, { password: 'Wrong-Horse-7' });
  expect(wrong.status).toBe(403);
  const { status, body } = await call<RecoveryCodes>(seller, 'POST', paths.recoveryCodes, {
    password: testPassword,
  });
  expect(status).toBe(200);
  expect(body.recoveryCodes.filter((code) => old.includes(code))).toEqual([]);
  await stack.mails.waitForMail({ to: seller.email, subject: 'New recovery codes' });
  expect((await signIn(stack.url, { email: seller.email, code: old[0]! })).status).toBe(401);
  expect((await signIn(stack.url, { email: seller.email, code: body.recoveryCodes[0]! })).status).toBe(200);
});

test('it is turned off with password and code, and sign-in then asks for neither', async () => {
  const { seller, secret } = await protectedSeller();
  const off = (body: object) => call(seller, 'DELETE', paths.twoFactor, body);
  const code = codeOf(secret, 1);
  expect((await off({ password: 'Wrong-Horse-7', code })).body.error.code).toBe('WRONG_PASSWORD');
  expect((await off({ password: testPassword, code: wrongCode(secret) })).body.error.code).toBe(
    'CODE_INVALID',
  );
  expect((await off({ password: testPassword, code })).status).toBe(204);
  expect((await off({ password: testPassword, code })).body.error.code).toBe('TWO_FACTOR_OFF');
  expect((await call(seller, 'POST', paths.recoveryCodes, { password: testPassword })).body.error.code).toBe(
    'TWO_FACTOR_OFF',
  );
  const again = await signIn(stack.url, { email: seller.email });
  expect(again.status).toBe(200);
  expect((again.body as SessionReply).user.twoFactorEnabled).toBe(false);
  expect((await stack.data.users.findById(seller.id).lean())?.two_factor).toBeNull();
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  const kinds = activities.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['two-factor-on', 'two-factor-off']));
});

test('guesses at the code are limited for whoever has a session and the password', async () => {
  const { seller, secret } = await protectedSeller();
  const guess = () =>
    call(seller, 'DELETE', paths.twoFactor, { password: testPassword, code: wrongCode(secret) });
  const codes: string[] = [];
  for (let each = 0; each < 6; each += 1) codes.push((await guess()).body.error.code);
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'CODE_INVALID'), 'RATE_LIMITED']);
});
