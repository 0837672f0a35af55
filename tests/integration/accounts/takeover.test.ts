/** Somebody else has learned the password of an account: the owner ends up with it. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { forgetAttempts, newAddress, tokenFromMail } from '#tests/support/visitor.ts';
import {
  askToMove,
  confirm,
  expectOwnersWith,
  moved,
  moveOn,
  newTakeover,
  openLink,
  ownersPassword,
  test,
  undo,
  undoToken,
} from './takeover-steps.ts';

test('a move that was asked for before the password was reset does not take place after it', async ({
  stack,
  takeover,
}) => {
  const { owner } = takeover;
  const link = await askToMove(stack, takeover);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  const { token } = await tokenFromMail(stack, owner.email, 'resetPassword');
  const set = { token, password: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.confirmPasswordReset, set)).status).toBe(204);
  await openLink(stack, link);
  await expectOwnersWith(stack, takeover, 'Newer-Horse-8');
});

test('nor one that was asked for before an expired password was replaced at sign-in', async ({
  stack,
  takeover,
}) => {
  const { owner } = takeover;
  const link = await askToMove(stack, takeover);
  await stack.models.users.updateOne({ _id: owner.id }, { password_changed_at: new Date(0) });
  const details = { email: owner.email, password: testPassword, newPassword: 'Newer-Horse-8' };
  expect((await post(stack.url, paths.session, details)).status).toBe(200);
  await openLink(stack, link);
  await expectOwnersWith(stack, takeover, 'Newer-Horse-8');
});

test('the old address undoes a move: address, sessions, links and password are as the owner wants them', async ({
  stack,
  takeover,
}) => {
  const { owner, thief, thiefsAddress } = takeover;
  await moved(stack, takeover);
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
  await expectOwnersWith(stack, takeover, ownersPassword);
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
  takeover,
}) => {
  const { owner, thief } = takeover;
  const link = await askToMove(stack, takeover);
  const token = await undoToken(stack, owner.email, 'about to change');
  expect((await undo(stack, token)).status).toBe(204);
  expect((await thief.request(paths.me)).status).toBe(401);
  expectError(await confirm(stack, link), 'TOKEN_INVALID');
  await expectOwnersWith(stack, takeover, ownersPassword);

  const again = await newTakeover(stack);
  await moved(stack, again);
  expect((await undo(stack, await undoToken(stack, again.owner.email, 'about to change'))).status).toBe(204);
  await expectOwnersWith(stack, again, ownersPassword);
});

test('whatever the thief does after the move, the way back stays open', async ({ stack, takeover }) => {
  const { owner, thiefsAddress } = takeover;
  let { thief } = takeover;
  await moved(stack, takeover);
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
  const third = await moveOn(stack, thief, theirs);
  const secondWayBack = await undoToken(stack, thiefsAddress);
  expectError(await call(thief, 'POST', paths.deletion, { password: theirs }), 'DELETION_TOO_SOON');
  const { secret } = await turnOnTwoFactor(thief, theirs);

  // One undo at a time: the thief's own brings them a step back, and shuts nothing for the owner.
  expect((await undo(stack, secondWayBack, 'Thiefs-Horse-10')).status).toBe(204);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefsAddress);
  expect((await undo(stack, await undoToken(stack, owner.email))).status).toBe(204);
  // Without a code: two-factor sign-in was the thief's.
  await expectOwnersWith(stack, takeover, ownersPassword);
  for (const email of [thiefsAddress, third]) {
    const tried = await signIn(stack.url, { email, password: theirs, code: codeOf(secret, 1) });
    expectError(tried, 'BAD_CREDENTIALS');
  }
});
