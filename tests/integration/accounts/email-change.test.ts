import { expect } from 'vitest';
import { type ActivityList, limits, pages, paths } from '#contract';
import { connectionOf } from '#shared/data/models.ts';
import { call, post, protectedSeller, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { forgetAttempts } from '#tests/support/visitor.ts';

const test = testWithStack();

let made = 0;
const newAddress = () => {
  made += 1;
  return `moved-${made}@new.example`;
};

const ask = (seller: Seller, email: string, password = testPassword) =>
  call(seller, 'POST', paths.email, { email, password });

/** The token of the newest mail with a link to the page. */
async function tokenFor(stack: TestStack, email: string): Promise<string> {
  const mail = await stack.mails.waitForMail({ to: email });
  return new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
}

const confirm = (stack: TestStack, token: string, password = testPassword, code?: string) =>
  post(stack.url, paths.confirmEmail, { token, password, code });

test('an account moves when the link in the new mailbox is opened, and the old one is told twice', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  const asked = await ask(seller, email.toUpperCase());
  expect([asked.status, asked.body]).toEqual([202, {}]);
  const notice = await stack.mails.waitForMail({ to: seller.email, subject: 'address' });
  expect(notice.text).toContain(email);
  // Until then nothing has changed.
  expect((await seller.me()).user.email).toBe(seller.email);

  const token = await tokenFor(stack, email);
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await seller.me()).user.email).toBe(email);
  const told = await stack.mails.waitForMail({ to: seller.email, after: notice.id });
  expect(told.text).toContain(email);
  expect((await signIn(stack.url, { email: seller.email })).body.error.code).toBe('BAD_CREDENTIALS');
  expect((await signIn(stack.url, { email })).status).toBe(200);
  const { activities } = (await call<ActivityList>(seller, 'GET', paths.activity)).body;
  expect(activities.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['email-change-asked', 'email-changed']),
  );
});

test('a link works once, not when it is old, not after a newer one, and not when it was made up', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const [first, second, third] = [newAddress(), newAddress(), newAddress()];
  await ask(seller, first);
  const replaced = await tokenFor(stack, first);
  await ask(seller, second);
  const used = await tokenFor(stack, second);
  expect((await confirm(stack, replaced)).body.error.code).toBe('TOKEN_INVALID');
  expect((await confirm(stack, used)).status).toBe(204);
  expect((await confirm(stack, used)).body.error.code).toBe('TOKEN_INVALID');

  await ask(seller, third);
  const old = await tokenFor(stack, third);
  await stack.models.accountTokens.updateMany(
    { user_id: seller.id },
    { $set: { expires_at: new Date(Date.now() - 1) } },
  );
  expect((await confirm(stack, old)).body.error.code).toBe('TOKEN_INVALID');
  for (const token of ['x'.repeat(43), '', 'x'.repeat(201), '{"$ne":null}']) {
    const answer = await confirm(stack, token);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'TOKEN_INVALID']);
  }
  expect((await seller.me()).user.email).toBe(second);
});

test('an address that is taken gets the same answer, and its owner a mail without a link to follow', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const owner = await stack.seller();
  const free = newAddress();
  const [taken, untaken] = [await ask(seller, owner.email), await ask(seller, free)];
  expect([taken.status, taken.body]).toEqual([untaken.status, untaken.body]);
  const names = (answer: typeof taken) => [...answer.headers.keys()].sort();
  expect(names(taken)).toEqual(names(untaken));
  const mail = await stack.mails.waitForMail({ to: owner.email, subject: 'address' });
  expect(mail.text).not.toContain(pages.confirmEmail);
  expect((await owner.me()).user.email).toBe(owner.email);
});

test('of two sellers who ask for one address the first to open the link gets it', async ({ stack }) => {
  const sellers = [await stack.seller(), await stack.seller()];
  const email = newAddress();
  const tokens: string[] = [];
  for (const seller of sellers) {
    const before = (await stack.mails.mails(email))[0]?.id ?? 0;
    await ask(seller, email);
    const mail = await stack.mails.waitForMail({ to: email, after: before });
    tokens.push(new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!);
  }
  const answers = await Promise.all(tokens.map((token) => confirm(stack, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  const lost = answers.findIndex(({ status }) => status === 400);
  expect(answers[lost]!.body.error.code).toBe('TOKEN_INVALID');
  expect((await sellers[lost]!.me()).user.email).toBe(sellers[lost]!.email);
  expect((await sellers[1 - lost]!.me()).user.email).toBe(email);
});

test('whoever signed up with an address and never verified it does not keep it from its owner', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  const signUp = { email, fullName: 'Squatter', password: 'Quiet-Harbour-31', acceptTerms: true };
  expect((await post(stack.url, paths.accounts, signUp)).status).toBe(202);
  const verification = await stack.mails.waitForMail({ to: email });
  await ask(seller, email);
  const mail = await stack.mails.waitForMail({ to: email, after: verification.id });
  const token = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await signIn(stack.url, { email })).status).toBe(200);
  const squatted = new URL(stack.mails.linkIn(verification, pages.verifyEmail)).searchParams.get('token')!;
  const late = await post(stack.url, paths.verifyEmail, { token: squatted, password: signUp.password });
  expect(late.body.error.code).toBe('TOKEN_INVALID');
  expect(await stack.models.profiles.countDocuments({ email })).toBe(1);
});

test('a change of the password makes a link that was asked for before void', async ({ stack }) => {
  const seller = await stack.seller();
  const email = newAddress();
  await ask(seller, email);
  const token = await tokenFor(stack, email);
  const change = { password: testPassword, newPassword: 'Quiet-Harbour-31' };
  expect((await call(seller, 'POST', paths.password, change)).status).toBe(204);
  expect((await confirm(stack, token)).body.error.code).toBe('TOKEN_INVALID');
});

test('a wrong password leaves the link as it is, counts as a failed sign-in, and none is refused', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const email = newAddress();
  await ask(seller, email);
  const token = await tokenFor(stack, email);
  expectError(await post(stack.url, paths.confirmEmail, { token }), 'VALIDATION', {
    field: 'password',
    message: 'Email and password are required',
  });
  const wrong = () => confirm(stack, token, 'Wrong-Horse-7');
  for (let each = 0; each < 4; each += 1) expectError(await wrong(), 'WRONG_PASSWORD');
  // Attempts are those of the sign-in: one of them was the seller's own.
  const sixth = await confirm(stack, token);
  expect([sixth.status, sixth.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  for (let each = 4; each < limits.lockOutFailures; each += 1) {
    await forgetAttempts(stack.db);
    expectError(await wrong(), 'WRONG_PASSWORD');
  }
  await forgetAttempts(stack.db);
  expectError(await confirm(stack, token), 'ACCOUNT_LOCKED');
  await connectionOf(stack.db).collection('sign_in_failures').deleteMany({});
  expect((await confirm(stack, token)).status).toBe(204);
  expect((await stack.models.users.findById(seller.id).lean())?.email).toBe(email);
  const failed = { user_id: seller.id, kind: 'sign-in-failed' } as const;
  expect(await stack.models.activities.countDocuments(failed)).toBe(limits.lockOutFailures);
});

test('with two-factor sign-in, asking and confirming take a code each', async ({ stack }) => {
  const { seller, recoveryCodes } = await protectedSeller(stack);
  const email = newAddress();
  const asking = (code?: string) =>
    call(seller, 'POST', paths.email, { email, password: testPassword, code });
  expectError(await asking(), 'CODE_REQUIRED');
  expectError(await asking('000-000-000-000'), 'CODE_INVALID');
  expect(await stack.mails.mails(email)).toEqual([]);
  expect((await asking(recoveryCodes[0])).status).toBe(202);
  const token = await tokenFor(stack, email);
  expectError(await confirm(stack, token), 'CODE_REQUIRED');
  expectError(await confirm(stack, token, testPassword, recoveryCodes[0]), 'CODE_INVALID');
  expect((await confirm(stack, token, testPassword, recoveryCodes[1])).status).toBe(204);
  expect((await seller.me()).user.email).toBe(email);
});

test('a wrong password, the own address and a wrong one are refused, and asking is limited', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const wrong = await ask(seller, newAddress(), 'Wrong-Horse-7');
  expect([wrong.status, wrong.body.error.code]).toEqual([403, 'WRONG_PASSWORD']);
  for (const email of [seller.email, 'not an address']) {
    const answer = await ask(seller, email);
    expect([answer.status, answer.body.error.field]).toEqual([400, 'email']);
  }
  for (let each = 0; each < 5; each += 1) expect((await ask(seller, newAddress())).status).toBe(202);
  const sixth = await ask(seller, newAddress());
  expect([sixth.status, sixth.body.error.code]).toEqual([429, 'RATE_LIMITED']);
});
