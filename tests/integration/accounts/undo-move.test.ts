/** The link that undoes a move of the account to another address: what it overrides, and how long it works. */
import { expect } from 'vitest';
import { limits, pages, paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { forgetAttempts, forgetMailsAsked, signUpForm } from '#tests/support/visitor.ts';
import {
  confirm,
  days,
  expectOwnersWith,
  moved,
  moveOn,
  newTakeover,
  ownersPassword,
  test,
  undo,
  undoToken,
} from './takeover-steps.ts';

test('the undo of a newer move is void once the older one is undone, also at the same moment', async ({
  stack,
}) => {
  for (let round = 0; round < 4; round += 1) {
    const takeover = await newTakeover(stack);
    const { owner, thief, thiefsAddress } = takeover;
    await moved(stack, takeover);
    await moveOn(stack, thief);
    const [ours, theirs] = [await undoToken(stack, owner.email), await undoToken(stack, thiefsAddress)];
    if (round === 0) {
      expect((await undo(stack, ours)).status).toBe(204);
      expectError(await undo(stack, theirs, 'Thiefs-Horse-9'), 'TOKEN_INVALID');
    } else {
      const [first] = await Promise.all([undo(stack, ours), undo(stack, theirs, 'Thiefs-Horse-9')]);
      expect(first.status).toBe(204);
    }
    await expectOwnersWith(stack, takeover, ownersPassword);
  }
});

test('two-factor sign-in that was turned on just before the move is off after the undo; an older one stays', async ({
  stack,
}) => {
  for (const age of [days(1), days(limits.undoDays + 1)]) {
    const takeover = await newTakeover(stack);
    const { owner, thief, thiefsAddress } = takeover;
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
  takeover,
}) => {
  const { owner, thiefsAddress } = takeover;
  await moved(stack, takeover);
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
  await expectOwnersWith(stack, takeover, ownersPassword);
});

test('after seven days the old address has no power over the account, and is free', async ({
  stack,
  takeover,
}) => {
  const { owner, thief } = takeover;
  await moved(stack, takeover);
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
