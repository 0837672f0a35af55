/** The link that undoes a change of address: what it overrides, and how long it works. */
import { expect } from 'vitest';
import { limits, pages, paths } from '#contract';
import { call, codeOf, post, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { resetMailLimit, resetSignInLimit, signUpForm } from '#tests/support/visitor.ts';
import { testUndoLinksOfTwoChanges } from './email-change-undo-steps.ts';
import {
  completeChange,
  confirmChange,
  days,
  expectOwnerHasAccount,
  newTakeover,
  ownerPassword,
  test,
  undoChange,
  undoToken,
} from './takeover-steps.ts';

testUndoLinksOfTwoChanges(2);

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
    const mail = await stack.mails.waitForMail({ to: thiefAddress });
    const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
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
  const second = await stack.mails.waitForMail({
    to: owner.email,
    subject: 'address was changed',
    after: first.id,
  });
  expect(second.text).toContain(thiefAddress);

  // Another account cannot change to the address either.
  const stranger = await stack.seller({ paid: false });
  const change = { email: owner.email, password: testPassword };
  expect((await call(stranger, 'POST', paths.email, change)).status).toBe(202);
  const third = await stack.mails.waitForMail({
    to: owner.email,
    subject: 'address was changed',
    after: second.id,
  });
  expect(third.text).not.toContain(pages.confirmEmail);

  await resetMailLimit(stack.db);
  expect((await post(stack.url, paths.passwordReset, { email: owner.email })).status).toBe(202);
  expect(
    (await undoChange(stack, await undoToken(stack, owner.email, 'address was changed', third.id))).status,
  ).toBe(204);
  await expectOwnerHasAccount(stack, takeover, ownerPassword);
});

test('after seven days the undo link is invalid and the old address is free', async ({ stack, takeover }) => {
  const { owner, thief } = takeover;
  const began = Date.now();
  await completeChange(stack, takeover);
  const tokens = await stack.models.accountTokens.find({ user_id: owner.id, kind: 'undo-email' }).lean();
  expect(tokens).toHaveLength(2);
  for (const { expires_at: until } of tokens) {
    const changedAt = until.getTime() - days(limits.undoDays);
    expect(changedAt).toBeGreaterThanOrEqual(began);
    expect(changedAt).toBeLessThanOrEqual(Date.now());
  }
  const token = await undoToken(stack, owner.email);
  // Sending the link again does not extend it.
  await post(stack.url, paths.passwordReset, { email: owner.email });
  const tokensAfterSending = await stack.models.accountTokens
    .find({ user_id: owner.id, kind: 'undo-email' })
    .lean();
  expect(
    tokensAfterSending
      .map(({ expires_at: until }) => until.getTime())
      .sort()
      .at(-1),
  ).toBe(
    tokens
      .map(({ expires_at: until }) => until.getTime())
      .sort()
      .at(-1),
  );

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
  expect((await stack.models.users.findOne({ email: owner.email }).lean())?._id).not.toBe(owner.id);
  await resetSignInLimit(stack.db);
  expect((await call(thief, 'POST', paths.deletion, { password: testPassword })).status).toBe(204);
});
