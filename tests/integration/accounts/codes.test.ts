/** Codes as people type them, and what is said of a code of another time. */
import { expect } from 'vitest';
import {
  type ActivityList,
  errorDefinitions,
  limits,
  paths,
  type RecoveryCodes,
  type TwoFactorSetup,
} from '#contract';
import { call, codeOf, signIn, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { resetSignInLimit } from '#tests/support/visitor.ts';

const test = testWithStack();

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
const anotherTime = /^This code is from another time\. Please check that your phone sets its clock/;
const [, refused] = errorDefinitions.CODE_INVALID;

test('codes are accepted in other digits, with spaces, dashes and characters that nobody sees', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const { body: setup } = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, {
    password: testPassword,
  });
  const first = arabic(codeOf(setup.secret)).replace(/^(...)/, '$1 ');
  const on = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, { code: first });
  expect(on.status).toBe(200);
  const { email } = seller;
  const [one, two, three] = on.body.recoveryCodes as [string, string, string];
  const codes = [
    `\u2066${fullWidth(codeOf(setup.secret, 1))}\u2069`,
    one.toUpperCase().replaceAll('-', '–'),
    fullWidth(two),
    `\u200b${three.replaceAll('-', '\u00a0')}\ufeff`,
  ];
  for (const code of codes) {
    await resetSignInLimit(stack.db);
    expect([code, (await signIn(stack.url, { email, code })).status]).toEqual([code, 200]);
  }
});

test('a code of a minute ago is told apart from a wrong one, counts as wrong, and a code of later is not told apart', async ({
  stack,
}) => {
  const { seller, secret } = await twoFactorSeller(stack);
  const { email } = seller;
  const messageOf = async (code: string) => {
    await resetSignInLimit(stack.db);
    const { status, body } = await signIn(stack.url, { email, code });
    expect([status, body.error.code]).toEqual([401, 'CODE_INVALID']);
    return body.error.message;
  };
  expect(await messageOf(codeOf(secret, -2))).toMatch(anotherTime);
  expect(await messageOf(codeOf(secret, -9))).toMatch(anotherTime);
  expect(await messageOf(codeOf(secret, -13))).toBe(refused);
  expect(await messageOf(codeOf(secret, 4))).toBe(refused);
  expect(await messageOf(wrongCode(secret))).toBe(refused);
  const failures = async () => {
    const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
    return activities.filter(({ kind }) => kind === 'sign-in-failed').length;
  };
  expect(await failures()).toBe(5);

  // In a session as well.
  const off = await call(seller, 'DELETE', paths.twoFactor, {
    password: testPassword,
    code: codeOf(secret, -3),
  });
  expect(off.body.error.message).toMatch(anotherTime);

  for (let count = 5; count < limits.lockOutFailures; count += 1) await messageOf(codeOf(secret, -3));
  await resetSignInLimit(stack.db);
  const locked = await signIn(stack.url, { email, code: codeOf(secret, 1) });
  expect(locked.body.error.code).toBe('ACCOUNT_LOCKED');
});

test('whoever sets two-factor sign-in up is told of a clock that is fast as well', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const { body } = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const confirm = (code: string) => call(seller, 'POST', paths.confirmTwoFactor, { code });
  for (const steps of [-4, 4]) {
    const { status, body: reply } = await confirm(codeOf(body.secret, steps));
    expect([status, reply.error.message]).toEqual([401, expect.stringMatching(anotherTime)]);
  }
  expect((await confirm(wrongCode(body.secret))).body.error.message).toBe(refused);
});
