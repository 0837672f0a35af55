/** A thief has learned the password of an account: the owner recovers it. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress, resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';
import {
  changeAgain,
  completeChange,
  confirmChange,
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

test('replacing an expired password at sign-in invalidates a pending change of address', async ({
  stack,
  takeover,
}) => {
  const { owner } = takeover;
  const link = await requestChange(stack, takeover);
  await stack.models.users.updateOne({ _id: owner.id }, { password_changed_at: new Date(0) });
  const details = { email: owner.email, password: testPassword, newPassword: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.session, details)).status).toBe(200);
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
  const mail = await stack.mails.waitForMail({ to: pending });
  const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;

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

test('the undo link works whatever the thief does after the change', async ({ stack, takeover }) => {
  const { owner, thiefAddress } = takeover;
  let { thief } = takeover;
  await completeChange(stack, takeover);
  await resetSignInLimit(stack.db);
  const thiefPassword = 'Thiefs-Horse-9';
  const change = { password: testPassword, newPassword: thiefPassword };
  expect((await call(thief, 'POST', paths.password, change)).status).toBe(204);
  expect((await post(stack.url, paths.passwordReset, { email: thiefAddress })).status).toBe(202);
  const reset = await tokenFromMail(stack, thiefAddress, 'resetPassword');
  const set = { token: reset.token, password: thiefPassword };
  expect((await post(stack.url, paths.confirmPasswordReset, set)).status).toBe(204);
  const session = await signIn(stack.url, { email: thiefAddress, password: thiefPassword });
  thief = {
    ...thief,
    request: (path, init = {}) =>
      owner.request(path, {
        ...init,
        headers: { ...Object(init.headers), authorization: `Bearer ${session.body.token}` },
      }),
  };
  const thirdAddress = await changeAgain(stack, thief, thiefPassword);
  const thiefUndoToken = await undoToken(stack, thiefAddress);
  expectError(await call(thief, 'POST', paths.deletion, { password: thiefPassword }), 'DELETION_TOO_SOON');
  const { secret } = await turnOnTwoFactor(thief, thiefPassword);

  // The thief's own undo link reverts only the second change, and the owner's link still works.
  expect((await undoChange(stack, thiefUndoToken, 'Thiefs-Horse-10')).status).toBe(204);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefAddress);
  expect((await undoChange(stack, await undoToken(stack, owner.email))).status).toBe(204);
  // Without a code: the undo turned off the thief's two-factor sign-in.
  await expectOwnerHasAccount(stack, takeover, ownerPassword);
  for (const email of [thiefAddress, thirdAddress]) {
    const answer = await signIn(stack.url, { email, password: thiefPassword, code: codeOf(secret, 1) });
    expectError(answer, 'BAD_CREDENTIALS');
  }
});
