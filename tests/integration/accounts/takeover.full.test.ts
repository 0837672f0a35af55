/** A thief has learned the password of an account: more of what they and the owner can do. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor, withToken } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';
import {
  changeAgain,
  completeChange,
  expectOwnerHasAccount,
  ownerPassword,
  requestChange,
  test,
  tryToConfirm,
  undoChange,
  undoToken,
} from './takeover-steps.ts';

test('replacing an expired password at sign-in invalidates a pending change of address', async ({
  stack,
  takeover,
}) => {
  const { owner } = takeover;
  const link = await requestChange(stack, takeover);
  await stack.models.userSettings.updateOne({ _id: owner.id }, { password_change_forced: true });
  await stack.models.users.updateOne({ _id: owner.id }, { password_changed_at: new Date(0) });
  const details = { email: owner.email, password: testPassword, newPassword: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.session, details)).status).toBe(200);
  await tryToConfirm(stack, link);
  await expectOwnerHasAccount(stack, takeover, 'Newer-Horse-8');
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
  thief = { ...thief, ...withToken(owner, session.body.token) };
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
