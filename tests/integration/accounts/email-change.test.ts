import { expect } from 'vitest';
import { type ActivityList, limits, pages, paths } from '#contract';
import { connectionOf } from '#shared/data/collection.ts';
import { call, post, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack();

const requestChange = (seller: Seller, email: string, password = testPassword) =>
  call(seller, 'POST', paths.email, { email, password });

/** The token of the confirmation link in the newest mail to an address. */
const confirmationToken = async (stack: TestStack, email: string) =>
  (await tokenFromMail(stack, email, 'confirmEmail')).token;

const confirm = (stack: TestStack, token: string, password = testPassword, code?: string) =>
  post(stack.url, paths.confirmEmail, { token, password, code });

test('the address changes when the link in the new mailbox is confirmed, and the old address gets two mails', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  const answer = await requestChange(seller, email.toUpperCase());
  expect([answer.status, answer.body]).toEqual([202, {}]);
  const notice = await stack.mails.waitForMail({ to: seller.email, subject: 'address' });
  expect(notice.text).toContain(email);
  // Nothing has changed yet.
  expect((await seller.me()).user.email).toBe(seller.email);

  const token = await confirmationToken(stack, email);
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await seller.me()).user.email).toBe(email);
  const confirmation = await stack.mails.waitForMail({ to: seller.email, after: notice.id });
  expect(confirmation.text).toContain(email);
  expect((await signIn(stack.url, { email: seller.email })).body.error.code).toBe('BAD_CREDENTIALS');
  expect((await signIn(stack.url, { email })).status).toBe(200);
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  expect(activities.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['email-change-asked', 'email-changed']),
  );
});

test('a used, replaced, expired or made-up link is refused', async ({ stack }) => {
  const seller = await stack.seller();
  const [first, second, third] = [newAddress(), newAddress(), newAddress()];
  await requestChange(seller, first);
  const replaced = await confirmationToken(stack, first);
  await requestChange(seller, second);
  const used = await confirmationToken(stack, second);
  expectError(await confirm(stack, replaced), 'TOKEN_INVALID');
  expect((await confirm(stack, used)).status).toBe(204);
  expect((await confirm(stack, used)).body.error.code).toBe('TOKEN_INVALID');

  await requestChange(seller, third);
  const expired = await confirmationToken(stack, third);
  await stack.models.accountTokens.updateMany(
    { user_id: seller.id },
    { $set: { expires_at: new Date(Date.now() - 1) } },
  );
  expect((await confirm(stack, expired)).body.error.code).toBe('TOKEN_INVALID');
  for (const token of ['x'.repeat(43), '', 'x'.repeat(201), '{"$ne":null}']) {
    expectError(await confirm(stack, token), 'TOKEN_INVALID');
  }
  expect((await seller.me()).user.email).toBe(second);
});

test('a taken address gets the same reply as a free one, and its owner a mail without a confirmation link', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const owner = await stack.seller();
  const free = newAddress();
  const [taken, untaken] = [await requestChange(seller, owner.email), await requestChange(seller, free)];
  expect([taken.status, taken.body]).toEqual([untaken.status, untaken.body]);
  const headerNames = (answer: typeof taken) => [...answer.headers.keys()].sort();
  expect(headerNames(taken)).toEqual(headerNames(untaken));
  const mail = await stack.mails.waitForMail({ to: owner.email, subject: 'address' });
  expect(mail.text).not.toContain(pages.confirmEmail);
  expect((await owner.me()).user.email).toBe(owner.email);
});

test('if two sellers request the same address, the first to confirm gets it', async ({ stack }) => {
  const sellers = [await stack.seller(), await stack.seller()];
  const email = newAddress();
  const tokens: string[] = [];
  for (const seller of sellers) {
    const before = (await stack.mails.mails(email))[0]?.id ?? 0;
    await requestChange(seller, email);
    tokens.push((await tokenFromMail(stack, email, 'confirmEmail', before)).token);
  }
  const answers = await Promise.all(tokens.map((token) => confirm(stack, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  const lost = answers.findIndex(({ status }) => status === 400);
  expect(answers[lost]!.body.error.code).toBe('TOKEN_INVALID');
  expect((await sellers[lost]!.me()).user.email).toBe(sellers[lost]!.email);
  expect((await sellers[1 - lost]!.me()).user.email).toBe(email);
});

test('an unverified sign-up with an address does not prevent its owner from changing to it', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  const signUp = { email, fullName: 'Squatter', password: 'Quiet-Harbour-31', acceptTerms: true };
  expect((await post(stack.url, paths.accounts, signUp)).status).toBe(202);
  const verification = await tokenFromMail(stack, email, 'verifyEmail');
  await requestChange(seller, email);
  const token = await confirmationToken(stack, email);
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await signIn(stack.url, { email })).status).toBe(200);
  const late = { token: verification.token, password: signUp.password };
  expectError(await post(stack.url, paths.verifyEmail, late), 'TOKEN_INVALID');
  expect(await stack.models.profiles.countDocuments({ email })).toBe(1);
});

test('changing the password invalidates a pending link', async ({ stack }) => {
  const seller = await stack.seller();
  const email = newAddress();
  await requestChange(seller, email);
  const token = await confirmationToken(stack, email);
  const change = { password: testPassword, newPassword: 'Quiet-Harbour-31' };
  expect((await call(seller, 'POST', paths.password, change)).status).toBe(204);
  expect((await confirm(stack, token)).body.error.code).toBe('TOKEN_INVALID');
});

test('confirming with a wrong password counts as a failed sign-in and does not use up the link; a missing one is refused', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  await requestChange(seller, email);
  const token = await confirmationToken(stack, email);
  expectError(await post(stack.url, paths.confirmEmail, { token }), 'VALIDATION', {
    field: 'password',
    message: 'Email and password are required',
  });
  const wrong = () => confirm(stack, token, 'Wrong-Horse-7');
  // Sign-ins share the limit of attempts.
  expect((await signIn(stack.url, { email: seller.email })).status).toBe(200);
  for (let attempt = 1; attempt < limits.signInAttempts; attempt += 1) {
    expectError(await wrong(), 'WRONG_PASSWORD');
  }
  const sixth = await confirm(stack, token);
  expect([sixth.status, sixth.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  for (let attempt = limits.signInAttempts - 1; attempt < limits.lockOutFailures; attempt += 1) {
    await resetSignInLimit(stack.db);
    expectError(await wrong(), 'WRONG_PASSWORD');
  }
  await resetSignInLimit(stack.db);
  expectError(await confirm(stack, token), 'ACCOUNT_LOCKED');
  await connectionOf(stack.db).collection('sign_in_failures').deleteMany({});
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await stack.models.users.findById(seller.id).lean())?.email).toBe(email);
  const failed = { user_id: seller.id, kind: 'sign-in-failed' } as const;
  expect(await stack.models.activities.countDocuments(failed)).toBe(limits.lockOutFailures);
});

test('the current address and an invalid one are refused, and requests are limited', async ({ stack }) => {
  const seller = await stack.seller();
  for (const email of [seller.email, 'not an address']) {
    const answer = await requestChange(seller, email);
    expect([answer.status, answer.body.error.field]).toEqual([400, 'email']);
  }
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await requestChange(seller, newAddress())).status).toBe(202);
  expect((await requestChange(seller, newAddress())).body.error.code).toBe('RATE_LIMITED');
});
