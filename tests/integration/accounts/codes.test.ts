/** Codes of the second factor: how people type them, what is said of a wrong one, and how wrong ones lock. */
import { expect } from 'vitest';
import {
  type ActivityList,
  errorDefinitions,
  limits,
  pages,
  paths,
  type RecoveryCodes,
  type TwoFactorSetup,
} from '#contract';
import { call, codeOf, signIn, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  resetMailLimit,
  resetSignInLimit,
  tokenFromMail,
  type Visitor,
} from '#tests/support/visitor.ts';

const test = testWithStack();

// Codes as people type them, and what is said of a code of another time.

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

// Wrong codes are counted by themselves: no link in a mail gives more guesses, only the right code does.

/** Two-factor sign-in that a reset leaves, because it is old. */
async function oldTwoFactorSeller(stack: TestStack) {
  const made = await twoFactorSeller(stack);
  const since = new Date(Date.now() - (limits.youngFactorDays + 1) * 86_400_000);
  await stack.models.users.updateOne({ _id: made.seller.id }, { $set: { 'two_factor.since': since } });
  return made;
}

async function tryCode(stack: TestStack, visitor: Visitor, body: object) {
  await resetSignInLimit(stack.db);
  return visitor.post(paths.session, body);
}

/** @param after id of the mail of the last reset. @returns that of this one */
async function reset(
  stack: TestStack,
  visitor: Visitor,
  { email, password, after }: { email: string; password: string; after: number | undefined },
): Promise<number> {
  await resetMailLimit(stack.db);
  await visitor.post(paths.passwordReset, { email });
  const { token, mail } = await tokenFromMail(stack, email, 'resetPassword', after);
  expect((await visitor.post(paths.confirmPasswordReset, { token, password })).status).toBe(204);
  return mail;
}

test('somebody with password and mailbox gets ten guesses of the code, however often they reset the password', async ({
  stack,
}) => {
  const { seller, secret } = await oldTwoFactorSeller(stack);
  const { email } = seller;
  let password = testPassword;
  let after: number | undefined;
  const answers: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    // A browser that the reset makes known, and without the cookies of the last round.
    const browser = createVisitor(stack.url);
    if (round > 0) {
      password = `Newer-Horse-${round}`;
      after = await reset(stack, browser, { email, password, after });
    }
    for (let guess = 0; guess <= limits.lockOutFailures; guess += 1) {
      const { body } = await tryCode(stack, browser, { email, password, code: wrongCode(secret) });
      answers.push((body as { error: { code: string } }).error.code);
    }
  }
  expect(answers.filter((code) => code === 'CODE_INVALID')).toHaveLength(limits.lockOutFailures);
  expect(new Set(answers)).toEqual(new Set(['CODE_INVALID', 'ACCOUNT_LOCKED']));
  expect((await stack.models.profiles.findById(seller.id).lean())?.account_locked).toBe(true);
  const mail = await stack.mails.waitForMail({ to: email, subject: 'Too many wrong codes' });
  expect(mail.text).not.toContain(pages.unlock);
  expect(mail.text).toContain(pages.forgotPassword);
});

test('the link that unlocks wrong passwords leaves the lock of codes', async ({ stack }) => {
  const { seller, secret } = await oldTwoFactorSeller(stack);
  const { email } = seller;
  const browser = createVisitor(stack.url);
  const wrong = { email, password: testPassword, code: wrongCode(secret) };
  for (let guess = 0; guess < limits.lockOutFailures; guess += 1) {
    expectError(await tryCode(stack, browser, wrong), 'CODE_INVALID');
  }
  for (let guess = 0; guess < limits.lockOutFailures; guess += 1) {
    const answer = await tryCode(stack, browser, { email, password: 'Wrong-Horse-7' });
    expectError(answer, 'BAD_CREDENTIALS');
  }
  const { token } = await tokenFromMail(stack, email, 'unlock');
  expect((await browser.post(paths.unlock, { token })).status).toBe(204);
  expect((await stack.models.profiles.findById(seller.id).lean())?.account_locked).toBe(true);
  // The password is taken again; the code is not.
  expectError(await tryCode(stack, browser, { email, password: testPassword }), 'CODE_REQUIRED');
  expectError(await tryCode(stack, browser, { ...wrong, code: codeOf(secret, 1) }), 'ACCOUNT_LOCKED');
});

test('the right code sets the count of codes to zero, and a browser that gave one has a count of its own', async ({
  stack,
}) => {
  const { seller, secret, recoveryCodes } = await oldTwoFactorSeller(stack);
  const { email } = seller;
  const known = createVisitor(stack.url);
  const right = { email, password: testPassword, code: recoveryCodes[0]! };
  expect((await tryCode(stack, known, right)).status).toBe(200);
  const fail = async (visitor: Visitor, times: number) => {
    for (let guess = 0; guess < times; guess += 1) {
      const answer = await tryCode(stack, visitor, { ...right, code: wrongCode(secret) });
      expectError(answer, 'CODE_INVALID');
    }
  };
  await fail(known, limits.lockOutFailures - 1);
  expect((await tryCode(stack, known, { ...right, code: recoveryCodes[1]! })).status).toBe(200);
  await fail(known, limits.lockOutFailures - 1);
  // Strangers lock all others out, not this browser.
  const stranger = createVisitor(stack.url);
  await fail(stranger, limits.lockOutFailures);
  expectError(await tryCode(stack, stranger, { ...right, code: recoveryCodes[2]! }), 'ACCOUNT_LOCKED');
  expect((await tryCode(stack, known, { ...right, code: codeOf(secret, 1) })).status).toBe(200);
});
