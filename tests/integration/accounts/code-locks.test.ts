/** Wrong codes are counted by themselves: no link in a mail gives more guesses, only the right code does. */
import { expect } from 'vitest';
import { limits, pages, paths } from '#contract';
import { codeOf, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
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
