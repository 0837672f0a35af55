/** Shared by the tests of unverified accounts: accounts that signed up some time ago, and what is left of them. */
import { expect } from 'vitest';
import { limits } from '#contract';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { createAccount, removeIncompleteAccounts } from '#shared/data/accounts/create.ts';
import { removeExpiredAccounts } from '#shared/data/accounts/unverified.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { type Fault, meetsFault } from '#tests/support/faults.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';

export const test = testWithCrashableDb({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  const { users, profiles, userSettings, mails, accountTokens, activities } = stack.models;
  for (const model of [users, profiles, userSettings, mails, accountTokens, activities]) {
    await model.collection.deleteMany({});
  }
});

export const day = 86_400_000;
export const lifeMs = limits.unverifiedDays * day;
export const ago = (ms: number) => new Date(Date.now() - ms);
export const expired = () => ago(lifeMs);

/** Makes an account that signed up `agoMs` ago, with an unsent mail, a link and an entry in the activity log. */
export async function signedUp(
  stack: TestStack,
  agoMs: number,
  details: { verified?: boolean; linkMs?: number } = {},
) {
  const { verified = false, linkMs = 0 } = details;
  const email = newAddress();
  const account = { email, fullName: 'Test Seller', passwordHash: 'none', plan: 'freelance' as const };
  const { user } = (await createAccount(stack.db, { ...account, verified }))!;
  await stack.models.users.updateOne({ _id: user._id }, { password_changed_at: ago(agoMs) });
  const token = { kind: 'verify-email' as const, sellerId: user._id, browser: user.sign_up, lifeMs: linkMs };
  await issueToken(stack.db, token);
  await recordActivity(stack.db, user._id, 'signed-up', { device: 'Firefox on Windows', address: '::1' });
  const mail = { link: 'http://localhost/x', hours: 48, days: 7, freeImages: 3 };
  await enqueueMail(stack.db, stack.server.context.relay, 'verifyAddress', email, mail);
  // Removing an account keeps mails that are not older than the removal.
  await stack.models.mails.updateMany({ to: email }, { created_at: ago(agoMs) });
  return { ...user, email };
}

/** The collections that have data of an account. */
export async function collectionsOf(
  stack: TestStack,
  { _id: id, email }: { _id: string; email: string },
): Promise<string[]> {
  const { users, profiles, userSettings, mails, accountTokens, activities } = stack.models;
  const counts = {
    users: users.countDocuments({ _id: id }),
    profiles: profiles.countDocuments({ _id: id, incomplete_since: null }),
    settings: userSettings.countDocuments({ _id: id }),
    mails: mails.countDocuments({ to: email, ended_at: null }),
    tokens: accountTokens.countDocuments({ user_id: id }),
    activities: activities.countDocuments({ user_id: id }),
  };
  const found = await Promise.all(
    Object.entries(counts).map(async ([name, count]) => ((await count) === 1 ? name : '')),
  );
  return found.filter(Boolean);
}
/** The collections of a complete account. Tokens are left out: MongoDB removes expired ones by itself. */
export const completeAccount = ['users', 'profiles', 'settings', 'mails', 'activities'];
export const expectComplete = async (
  stack: TestStack,
  account: { _id: string; email: string },
  parts = completeAccount,
  hint = '',
) =>
  expect(
    (await collectionsOf(stack, account)).filter((part) => part !== 'tokens'),
    hint,
  ).toEqual(parts);

/**
 * Removes expired accounts with a fault at one step, and expects the next removal to finish it.
 * @param crashableDb what the first removal uses
 * @returns whether the removal had that step
 */
export async function expectFinishedByNext(
  stack: TestStack,
  crashableDb: Db,
  fault: Fault,
): Promise<boolean> {
  const accounts = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs + 1_000)];
  const kept = await signedUp(stack, 0);
  const failed = await meetsFault(fault, () => removeExpiredAccounts(crashableDb, expired(), 100));
  await removeExpiredAccounts(stack.db, expired(), 100);
  await removeIncompleteAccounts(stack.db, new Date(Date.now() + 1_000));
  for (const account of accounts)
    expect({ ...fault, left: await collectionsOf(stack, account) }).toEqual({ ...fault, left: [] });
  await expectComplete(stack, kept);
  return failed;
}

/** Inserts unverified accounts that signed up `agoMs` ago. Uses the driver: validation by mongoose would take seconds. */
export async function manySignedUp(stack: TestStack, count: number, agoMs: number): Promise<void> {
  const at = ago(agoMs);
  const { users, profiles, userSettings } = stack.models;
  const rows = Array.from({ length: count }, () => ({ _id: newId(), email: newAddress() }));
  const dates = { created_at: at, updated_at: at };
  const profile = new profiles({ full_name: 'X', subscription_plan: 'freelance', ...dates }).toObject();
  const settings = new userSettings(dates).toObject();
  const user = new users({ password_hash: 'none', password_changed_at: at, created_at: at }).toObject();
  await profiles.collection.insertMany(rows.map((row) => ({ ...profile, ...row })) as never);
  await userSettings.collection.insertMany(
    rows.map(({ _id }) => ({ ...settings, _id, user_id: _id })) as never,
  );
  await users.collection.insertMany(
    rows.map((row) => ({ ...user, ...row, sign_up: `secret ${row._id}` })) as never,
  );
}
