/** Somebody who has learned the password, and its owner: who ends up with the account. */
import { expect } from 'vitest';
import { limits, pages, paths } from '#contract';
import { anotherSession, call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  forgetAttempts,
  forgetMailsAsked,
  newAddress,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

let owner: Seller;
let thief: Seller;
let thiefsAddress: string;
const test = testWithStack();
test.beforeEach(async ({ stack }) => {
  owner = await stack.seller({ paid: false });
  thief = await anotherSession(stack.url, owner);
  thiefsAddress = newAddress();
  await forgetAttempts(stack.db);
});

/** The thief asks to move the account. @returns the token of the mail that they get */
async function askToMove(stack: TestStack, password = testPassword): Promise<string> {
  const asked = await call(thief, 'POST', paths.email, { email: thiefsAddress, password });
  expect(asked.status).toBe(202);
  const mail = await stack.mails.waitForMail({ to: thiefsAddress });
  return new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
}

/** The thief opens the link, with every password that they may have. */
async function openLink(stack: TestStack, token: string): Promise<void> {
  await post(stack.url, paths.confirmEmail, { token });
  await post(stack.url, paths.confirmEmail, { token, password: testPassword });
}

async function expectOwnersWith(stack: TestStack, password: string): Promise<void> {
  await forgetAttempts(stack.db);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(owner.email);
  expect((await signIn(stack.url, { email: owner.email, password })).status).toBe(200);
}

test('a move that was asked for before the password was reset does not take place after it', async ({
  stack,
}) => {
  const link = await askToMove(stack);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  const { token } = await tokenFromMail(stack, owner.email, 'resetPassword');
  const set = { token, password: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.confirmPasswordReset, set)).status).toBe(204);
  await openLink(stack, link);
  await expectOwnersWith(stack, 'Newer-Horse-8');
});

test('nor one that was asked for before an expired password was replaced at sign-in', async ({ stack }) => {
  const link = await askToMove(stack);
  await stack.models.users.updateOne({ _id: owner.id }, { password_changed_at: new Date(0) });
  const details = { email: owner.email, password: testPassword, newPassword: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.session, details)).status).toBe(200);
  await openLink(stack, link);
  await expectOwnersWith(stack, 'Newer-Horse-8');
});

const ownersPassword = 'Newer-Horse-8';
const days = (count: number) => count * 86_400_000;

/** The newest link of "This wasn't me" that an address has got. @param subject part of the mail's */
async function undoToken(
  stack: TestStack,
  to: string,
  subject = 'address was changed',
  after?: number,
): Promise<string> {
  const mail = await stack.mails.waitForMail({ to, subject, after });
  return new URL(stack.mails.linkIn(mail, pages.undoEmail)).searchParams.get('token')!;
}
const undo = (stack: TestStack, token: string, password = ownersPassword) =>
  post(stack.url, paths.undoEmail, { token, password });
const confirm = (stack: TestStack, token: string, password = testPassword, code?: string) =>
  post(stack.url, paths.confirmEmail, { token, password, code });

/** The thief has the account: it is at their address. */
async function moved(stack: TestStack): Promise<void> {
  expect((await confirm(stack, await askToMove(stack))).status).toBe(204);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefsAddress);
}

/** Moves the account on, to yet another address of the thief's. */
async function moveOn(stack: TestStack, password = testPassword, code?: string): Promise<string> {
  const next = newAddress();
  const asked = await call(thief, 'POST', paths.email, { email: next, password, code });
  expect(asked.status).toBe(202);
  const mail = await stack.mails.waitForMail({ to: next });
  const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
  expect((await confirm(stack, link, password)).status).toBe(204);
  return next;
}

test('the old address undoes a move: address, sessions, links and password are as the owner wants them', async ({
  stack,
}) => {
  await moved(stack);
  // What the thief has begun since.
  const pending = newAddress();
  await call(thief, 'POST', paths.email, { email: pending, password: testPassword });
  const mail = await stack.mails.waitForMail({ to: pending });
  const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;

  const token = await undoToken(stack, owner.email);
  expectError(await undo(stack, token, 'P@ssword1!'), 'PASSWORD_COMMON');
  expectError(await undo(stack, `${token}x`), 'TOKEN_INVALID');
  expect((await undo(stack, token)).status).toBe(204);
  expect((await thief.request(paths.me)).status).toBe(401);
  await expectOwnersWith(stack, ownersPassword);
  expect((await stack.models.profiles.findById(owner.id).lean())?.email).toBe(owner.email);
  for (const email of [owner.email, thiefsAddress]) {
    expectError(await signIn(stack.url, { email }), 'BAD_CREDENTIALS');
  }
  expectError(await confirm(stack, link), 'TOKEN_INVALID');
  expectError(await undo(stack, token), 'TOKEN_INVALID');
  expect(await stack.models.accountTokens.countDocuments({ user_id: owner.id })).toBe(0);
  const told = await stack.mails.waitForMail({ to: thiefsAddress, subject: 'changed back' });
  expect(told.text).toContain(owner.email);
  await stack.mails.waitForMail({ to: owner.email, subject: 'password was changed' });
  const log = await stack.models.activities.find({ user_id: owner.id }).lean();
  expect(log.map(({ kind }) => kind)).toContain('email-change-undone');
});

test('the mail about the wish stops the move before it takes place, and undoes it after', async ({
  stack,
}) => {
  const link = await askToMove(stack);
  const token = await undoToken(stack, owner.email, 'about to change');
  expect((await undo(stack, token)).status).toBe(204);
  expect((await thief.request(paths.me)).status).toBe(401);
  expectError(await confirm(stack, link), 'TOKEN_INVALID');
  await expectOwnersWith(stack, ownersPassword);

  owner = await stack.seller({ paid: false });
  thief = await anotherSession(stack.url, owner);
  thiefsAddress = newAddress();
  await forgetAttempts(stack.db);
  await moved(stack);
  expect((await undo(stack, await undoToken(stack, owner.email, 'about to change'))).status).toBe(204);
  await expectOwnersWith(stack, ownersPassword);
});

test('whatever the thief does after the move, the way back stays open', async ({ stack }) => {
  await moved(stack);
  await forgetAttempts(stack.db);
  const theirs = 'Thiefs-Horse-9';
  const change = { password: testPassword, newPassword: theirs };
  expect((await call(thief, 'POST', paths.password, change)).status).toBe(204);
  expect((await post(stack.url, paths.passwordReset, { email: thiefsAddress })).status).toBe(202);
  const reset = await tokenFromMail(stack, thiefsAddress, 'resetPassword');
  const set = { token: reset.token, password: theirs };
  expect((await post(stack.url, paths.confirmPasswordReset, set)).status).toBe(204);
  const back = await signIn(stack.url, { email: thiefsAddress, password: theirs });
  thief = {
    ...thief,
    request: (path, init = {}) =>
      owner.request(path, {
        ...init,
        headers: { ...Object(init.headers), authorization: `Bearer ${back.body.token}` },
      }),
  };
  const third = await moveOn(stack, theirs);
  const secondWayBack = await undoToken(stack, thiefsAddress);
  expectError(await call(thief, 'POST', paths.deletion, { password: theirs }), 'DELETION_TOO_SOON');
  const { secret } = await turnOnTwoFactor(thief, theirs);

  // One undo at a time: the thief's own brings them a step back, and shuts nothing for the owner.
  expect((await undo(stack, secondWayBack, 'Thiefs-Horse-10')).status).toBe(204);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefsAddress);
  expect((await undo(stack, await undoToken(stack, owner.email))).status).toBe(204);
  // Without a code: two-factor sign-in was the thief's.
  await expectOwnersWith(stack, ownersPassword);
  for (const email of [thiefsAddress, third]) {
    const tried = await signIn(stack.url, { email, password: theirs, code: codeOf(secret, 1) });
    expectError(tried, 'BAD_CREDENTIALS');
  }
});

test('the undo of a newer move is void once the older one is undone, also at the same moment', async ({
  stack,
}) => {
  for (let round = 0; round < 4; round += 1) {
    owner = await stack.seller({ paid: false });
    thief = await anotherSession(stack.url, owner);
    thiefsAddress = newAddress();
    await forgetAttempts(stack.db);
    await moved(stack);
    await moveOn(stack);
    const [ours, theirs] = [await undoToken(stack, owner.email), await undoToken(stack, thiefsAddress)];
    if (round === 0) {
      expect((await undo(stack, ours)).status).toBe(204);
      expectError(await undo(stack, theirs, 'Thiefs-Horse-9'), 'TOKEN_INVALID');
    } else {
      const [first] = await Promise.all([undo(stack, ours), undo(stack, theirs, 'Thiefs-Horse-9')]);
      expect(first.status).toBe(204);
    }
    await expectOwnersWith(stack, ownersPassword);
  }
});

test('two-factor sign-in that was turned on just before the move is off after the undo; an older one stays', async ({
  stack,
}) => {
  for (const age of [days(1), days(limits.undoDays + 1)]) {
    owner = await stack.seller({ paid: false });
    thief = await anotherSession(stack.url, owner);
    thiefsAddress = newAddress();
    await forgetAttempts(stack.db);
    const { secret, recoveryCodes } = await turnOnTwoFactor(thief);
    const since = new Date(Date.now() - age);
    await stack.models.users.updateOne({ _id: owner.id }, { $set: { 'two_factor.since': since } });
    const wanted = { email: thiefsAddress, password: testPassword, code: recoveryCodes[0] };
    expect((await call(thief, 'POST', paths.email, wanted)).status).toBe(202);
    const mail = await stack.mails.waitForMail({ to: thiefsAddress });
    const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
    expect((await confirm(stack, link, testPassword, recoveryCodes[1])).status).toBe(204);
    expect((await undo(stack, await undoToken(stack, owner.email))).status).toBe(204);
    await forgetAttempts(stack.db);
    const alone = await signIn(stack.url, { email: owner.email, password: ownersPassword });
    if (age > days(limits.undoDays)) {
      expectError(alone, 'CODE_REQUIRED');
      const code = codeOf(secret, 1);
      const both = await signIn(stack.url, { email: owner.email, password: ownersPassword, code });
      expect(both.status).toBe(200);
    } else {
      expect(alone.status).toBe(200);
      expect(alone.body.user.twoFactorEnabled).toBe(false);
    }
  }
});

test('the old address is nobody else’s while the undo works; whoever asks there gets the link once more', async ({
  stack,
}) => {
  await moved(stack);
  const first = await stack.mails.waitForMail({ to: owner.email, subject: 'address was changed' });
  const form = signUpForm({ email: owner.email, password: 'Strange-Horse-9' });
  expect((await post(stack.url, paths.accounts, form)).status).toBe(202);
  expect(await stack.models.users.findOne({ email: owner.email }).lean()).toBeNull();
  const second = await stack.mails.waitForMail({
    to: owner.email,
    subject: 'address was changed',
    after: first.id,
  });
  expect(second.text).toContain(thiefsAddress);

  // Nor does another account move there.
  const stranger = await stack.seller({ paid: false });
  const wanted = { email: owner.email, password: testPassword };
  expect((await call(stranger, 'POST', paths.email, wanted)).status).toBe(202);
  const third = await stack.mails.waitForMail({
    to: owner.email,
    subject: 'address was changed',
    after: second.id,
  });
  expect(third.text).not.toContain(pages.confirmEmail);

  await forgetMailsAsked(stack.db);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  expect(
    (await undo(stack, await undoToken(stack, owner.email, 'address was changed', third.id))).status,
  ).toBe(204);
  await expectOwnersWith(stack, ownersPassword);
});

test('after seven days the old address has no power over the account, and is free', async ({ stack }) => {
  await moved(stack);
  const rows = await stack.models.accountTokens.find({ user_id: owner.id, kind: 'undo-email' }).lean();
  expect(rows).toHaveLength(2);
  for (const { expires_at: until } of rows) {
    expect(Math.abs(until.getTime() - Date.now() - days(limits.undoDays))).toBeLessThan(60_000);
  }
  const token = await undoToken(stack, owner.email);
  // A link that is sent once more lasts no longer than the first.
  await post(stack.url, paths.passwordReset, { email: owner.email });
  const lasting = await stack.models.accountTokens.find({ user_id: owner.id, kind: 'undo-email' }).lean();
  expect(
    lasting
      .map(({ expires_at: until }) => until.getTime())
      .sort()
      .at(-1),
  ).toBe(
    rows
      .map(({ expires_at: until }) => until.getTime())
      .sort()
      .at(-1),
  );

  await stack.models.accountTokens.updateMany(
    { user_id: owner.id },
    { $set: { expires_at: new Date(Date.now() - 1) } },
  );
  expectError(await undo(stack, token), 'TOKEN_INVALID');
  expect((await thief.request(paths.me)).status).toBe(200);
  const mails = await stack.models.mails.countDocuments({ to: owner.email });
  await forgetMailsAsked(stack.db);
  await post(stack.url, paths.passwordReset, { email: owner.email });
  expect(await stack.models.mails.countDocuments({ to: owner.email })).toBe(mails);
  const form = signUpForm({ email: owner.email });
  await post(stack.url, paths.accounts, form);
  expect((await stack.models.users.findOne({ email: owner.email }).lean())?._id).not.toBe(owner.id);
  await forgetAttempts(stack.db);
  expect((await call(thief, 'POST', paths.deletion, { password: testPassword })).status).toBe(204);
});
