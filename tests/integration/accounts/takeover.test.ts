/** A thief has learned the password of an account: the owner recovers it. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call, post, signIn } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress, tokenFromMail } from '#tests/support/visitor.ts';
import {
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
