/** A thief has learned the password of an account: the owner recovers it. */
import { expect } from 'vitest';
import { limits, pages, paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import {
  newAddress,
  resetMailLimit,
  resetSignInLimit,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';
import {
  changeAgain,
  completeChange,
  confirmChange,
  days,
  expectOwnerHasAccount,
  newTakeover,
  ownerPassword,
  requestChange,
  test,
  tryToConfirm,
  undoChange,
  undoToken,
} from './takeover-steps.ts';

test('a password reset invalidates a pending change of address', async ({ stack, takeover }) => {
  const { owner } = takeover;
  const link = await requestChange(stack, takeover);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  const { token } = await tokenFromMail(stack, owner.email, 'resetPassword');
  const set = { token, password: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.confirmPasswordReset, set)).status).toBe(204);
  await tryToConfirm(stack, link);
  await expectOwnerHasAccount(stack, takeover, 'Newer-Horse-8');
});

test('the undo link restores the address, sets a password, and ends the sessions and links of the thief', async ({
  stack,
  takeover,
}) => {
  const { owner, thief, thiefAddress } = takeover;
  await completeChange(stack, takeover);
  // The thief has requested another change since.
  const pending = newAddress();
  await call(thief, 'POST', paths.email, { email: pending, password: testPassword });
  const { token: link } = await tokenFromMail(stack, pending, 'confirmEmail');

  const token = await undoToken(stack, owner.email);
  expectError(await undoChange(stack, token, 'P@ssword1!'), 'PASSWORD_COMMON');
  expectError(await undoChange(stack, `${token}x`), 'TOKEN_INVALID');
  expect((await undoChange(stack, token)).status).toBe(204);
  expect((await thief.request(paths.me)).status).toBe(401);
  await expectOwnerHasAccount(stack, takeover, ownerPassword);
  expect((await stack.models.profiles.findById(owner.id).lean())?.email).toBe(owner.email);
  for (const email of [owner.email, thiefAddress]) {
    expectError(await signIn(stack.url, { email }), 'BAD_CREDENTIALS');
  }
  expectError(await confirmChange(stack, link), 'TOKEN_INVALID');
  expectError(await undoChange(stack, token), 'TOKEN_INVALID');
  expect(await stack.models.accountTokens.countDocuments({ user_id: owner.id })).toBe(0);
  const notice = await stack.mails.waitForMail({ to: thiefAddress, subject: 'changed back' });
  expect(notice.text).toContain(owner.email);
  await stack.mails.waitForMail({ to: owner.email, subject: 'password was changed' });
  const log = await stack.models.activities.find({ user_id: owner.id }).lean();
  expect(log.map(({ kind }) => kind)).toContain('email-change-undone');
});

test('the undo link in the mail about the request works before the change is confirmed, and after it', async ({
  stack,
  takeover,
}) => {
  const { owner, thief } = takeover;
  const link = await requestChange(stack, takeover);
  const token = await undoToken(stack, owner.email, 'about to change');
  expect((await undoChange(stack, token)).status).toBe(204);
  expect((await thief.request(paths.me)).status).toBe(401);
  expectError(await confirmChange(stack, link), 'TOKEN_INVALID');
  await expectOwnerHasAccount(stack, takeover, ownerPassword);

  const again = await newTakeover(stack);
  await completeChange(stack, again);
  expect((await undoChange(stack, await undoToken(stack, again.owner.email, 'about to change'))).status).toBe(
    204,
  );
  await expectOwnerHasAccount(stack, again, ownerPassword);
});

// The link that undoes a change of address: what it overrides, and how long it works.

test('undoing a change invalidates the undo links of newer changes, also if both are used concurrently', async ({
  stack,
}) => {
  // One after the other in the first round, concurrently in the others.
  for (let round = 0; round < 8; round += 1) {
    const takeover = await newTakeover(stack);
    const { owner, thief, thiefAddress } = takeover;
    await completeChange(stack, takeover);
    await changeAgain(stack, thief);
    const tokens = [await undoToken(stack, owner.email), await undoToken(stack, thiefAddress)] as const;
    const followOwners = () => undoChange(stack, tokens[0]);
    const followThiefs = () => undoChange(stack, tokens[1], 'Thiefs-Horse-9');
    if (round === 0) {
      expect((await followOwners()).status).toBe(204);
      expectError(await followThiefs(), 'TOKEN_INVALID');
    } else {
      expect((await Promise.all([followOwners(), followThiefs()]))[0].status).toBe(204);
    }
    await expectOwnerHasAccount(stack, takeover, ownerPassword);
  }
});

test('an undo turns off two-factor sign-in that was turned on shortly before the change, not an older one', async ({
  stack,
}) => {
  for (const age of [days(1), days(limits.undoDays + 1)]) {
    const takeover = await newTakeover(stack);
    const { owner, thief, thiefAddress } = takeover;
    const { secret, recoveryCodes } = await turnOnTwoFactor(thief);
    const since = new Date(Date.now() - age);
    await stack.models.users.updateOne({ _id: owner.id }, { $set: { 'two_factor.since': since } });
    const change = { email: thiefAddress, password: testPassword, code: recoveryCodes[0] };
    expect((await call(thief, 'POST', paths.email, change)).status).toBe(202);
    const { token: link } = await tokenFromMail(stack, thiefAddress, 'confirmEmail');
    expect((await confirmChange(stack, link, testPassword, recoveryCodes[1])).status).toBe(204);
    expect((await undoChange(stack, await undoToken(stack, owner.email))).status).toBe(204);
    await resetSignInLimit(stack.db);
    const withoutCode = await signIn(stack.url, { email: owner.email, password: ownerPassword });
    if (age > days(limits.undoDays)) {
      expectError(withoutCode, 'CODE_REQUIRED');
      const code = codeOf(secret, 1);
      const withCode = await signIn(stack.url, { email: owner.email, password: ownerPassword, code });
      expect(withCode.status).toBe(200);
    } else {
      expect(withoutCode.status).toBe(200);
      expect(withoutCode.body.user.twoFactorEnabled).toBe(false);
    }
  }
});

test('the old address is reserved while the undo link works, and requests for it send the link again', async ({
  stack,
  takeover,
}) => {
  const { owner, thiefAddress } = takeover;
  await completeChange(stack, takeover);
  const first = await stack.mails.waitForMail({ to: owner.email, subject: 'address was changed' });
  const form = signUpForm({ email: owner.email, password: 'Strange-Horse-9' });
  expect((await post(stack.url, paths.accounts, form)).status).toBe(202);
  expect(await stack.models.users.findOne({ email: owner.email }).lean()).toBeNull();
  const subject = 'address was changed';
  const second = await stack.mails.waitForMail({ to: owner.email, subject, after: first.id });
  expect(second.text).toContain(thiefAddress);

  // Another account cannot change to the address either.
  const stranger = await stack.seller({ paid: false });
  const change = { email: owner.email, password: testPassword };
  expect((await call(stranger, 'POST', paths.email, change)).status).toBe(202);
  const third = await stack.mails.waitForMail({ to: owner.email, subject, after: second.id });
  expect(third.text).not.toContain(pages.confirmEmail);

  await resetMailLimit(stack.db);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  const token = await undoToken(stack, owner.email, subject, third.id);
  expect((await undoChange(stack, token)).status).toBe(204);
  await expectOwnerHasAccount(stack, takeover, ownerPassword);
});

test('after seven days the undo link is invalid and the old address is free', async ({ stack, takeover }) => {
  const { owner, thief } = takeover;
  const began = Date.now();
  await completeChange(stack, takeover);
  const ends = async () => {
    const tokens = await stack.models.accountTokens.find({ user_id: owner.id, kind: 'undo-email' }).lean();
    return tokens.map(({ expires_at: until }) => until.getTime()).sort();
  };
  const before = await ends();
  expect(before).toHaveLength(2);
  for (const end of before) {
    expect(end - days(limits.undoDays)).toBeGreaterThanOrEqual(began);
    expect(end - days(limits.undoDays)).toBeLessThanOrEqual(Date.now());
  }
  const token = await undoToken(stack, owner.email);
  // Sending the link again does not extend it.
  await post(stack.url, paths.passwordReset, { email: owner.email });
  expect((await ends()).at(-1)).toBe(before.at(-1));

  await stack.models.accountTokens.updateMany(
    { user_id: owner.id },
    { $set: { expires_at: new Date(Date.now() - 1) } },
  );
  expectError(await undoChange(stack, token), 'TOKEN_INVALID');
  expect((await thief.request(paths.me)).status).toBe(200);
  const mails = await stack.models.mails.countDocuments({ to: owner.email });
  await resetMailLimit(stack.db);
  await post(stack.url, paths.passwordReset, { email: owner.email });
  expect(await stack.models.mails.countDocuments({ to: owner.email })).toBe(mails);
  const form = signUpForm({ email: owner.email });
  await post(stack.url, paths.accounts, form);
  const user = await stack.models.users.findOne({ email: owner.email }).lean();
  expect(user).not.toBeNull();
  expect(user!._id).not.toBe(owner.id);
  await resetSignInLimit(stack.db);
  expect((await call(thief, 'POST', paths.deletion, { password: testPassword })).status).toBe(204);
});
