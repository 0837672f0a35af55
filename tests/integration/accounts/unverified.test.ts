/** Accounts whose address nobody verified end after some days, those half made after minutes; what is verified never does. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { issueToken } from '#shared/data/account-tokens.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/incomplete.ts';
import { markVerified, recordSignIn } from '#shared/data/accounts/sign-in.ts';
import { removeExpiredAccounts, removeUnverifiedAccount } from '#shared/data/accounts/unverified.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { connectDb } from '#shared/data/connect.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { crashable, faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  const { users, profiles, userSettings, mails, accountTokens, activities } = stack.models;
  for (const model of [users, profiles, userSettings, mails, accountTokens, activities]) {
    await model.collection.deleteMany({});
  }
});

const day = 86_400_000;
const lifeMs = limits.unverifiedDays * day;
const ago = (ms: number) => new Date(Date.now() - ms);
const expired = () => ago(lifeMs);

/** An account as a sign-up leaves it, so long ago: with its mail that waits, its link and its line in the activity log. */
async function signedUp(
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
  const mail = { fullName: 'Test Seller', link: 'http://localhost/x', hours: 48, days: 7 };
  await enqueueMail(stack.db, stack.server.context.relay, 'verifyAddress', email, mail);
  return { ...user, email };
}

/** What there is of an account, by collection. */
async function leftOf(
  stack: TestStack,
  { _id: id, email }: { _id: string; email: string },
): Promise<string[]> {
  const { users, profiles, userSettings, mails, accountTokens, activities } = stack.models;
  const counts = {
    users: users.countDocuments({ _id: id }),
    profiles: profiles.countDocuments({ _id: id, half_made_at: null }),
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
/** A whole account; a token whose time is over the database forgets by itself. */
const whole = ['users', 'profiles', 'settings', 'mails', 'activities'];
const expectWhole = async (
  stack: TestStack,
  account: { _id: string; email: string },
  parts = whole,
  hint = '',
) =>
  expect(
    (await leftOf(stack, account)).filter((part) => part !== 'tokens'),
    hint,
  ).toEqual(parts);

test('seven days after the last sign-up upkeep removes all of it, and the address is free', async ({
  stack,
}) => {
  const [old, young] = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs - 60_000)];
  const worker = await stack.startWorker();
  try {
    await expect.poll(() => leftOf(stack, old), eventually).toEqual([]);
    expect(await stack.models.users.exists({ _id: young._id })).not.toBeNull();
    const form = signUpForm({ email: old.email });
    await createVisitor(stack.url).post(paths.accounts, form);
    const again = await stack.models.users.findOne({ email: old.email }).lean();
    expect(again?.sign_up).toEqual(expect.any(String));
    expect(again?._id).not.toBe(old._id);
  } finally {
    await worker.close();
  }
});

test('none goes that is verified, has signed in, has paid, knows Stripe, or has a link that works', async ({
  stack,
}) => {
  const longAgo = 30 * day;
  const kept = {
    verified: await signedUp(stack, longAgo, { verified: true }),
    linked: await signedUp(stack, longAgo, { linkMs: 60_000 }),
    signedIn: await signedUp(stack, longAgo),
    customer: await signedUp(stack, longAgo),
    subscribed: await signedUp(stack, longAgo),
    paid: await signedUp(stack, longAgo),
    deleting: await signedUp(stack, longAgo),
  };
  const { profiles } = stack.models;
  await profiles.updateOne({ _id: kept.signedIn._id }, { login_count: 1 });
  await profiles.updateOne({ _id: kept.customer._id }, { stripe_customer_id: 'cus_1' });
  await profiles.updateOne({ _id: kept.subscribed._id }, { subscription_id: 'sub_1' });
  await profiles.updateOne({ _id: kept.paid._id }, { granted: 100 });
  await profiles.updateOne({ _id: kept.deleting._id }, { deletion_asked_at: new Date() });
  const gone = await signedUp(stack, longAgo);
  expect(await removeExpiredAccounts(stack.db, expired(), 100)).toBe(1);
  expect(await leftOf(stack, gone)).toEqual([]);
  for (const [name, account] of Object.entries(kept)) await expectWhole(stack, account, whole, name);
});

test('the seven days begin anew with another sign-up for the address', async ({ stack }) => {
  const first = await signedUp(stack, lifeMs + 1_000);
  await createVisitor(stack.url).post(paths.accounts, signUpForm({ email: first.email }));
  await stack.models.accountTokens.deleteMany({});
  expect(await removeExpiredAccounts(stack.db, expired(), 100)).toBe(0);
  expect(await stack.models.users.exists({ _id: first._id })).not.toBeNull();
});

test('whoever verifies in the very moment of the removal keeps the account, whole', async ({ stack }) => {
  const [lucky, other] = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs + 1_000)];
  const own = await connectDb(stack.config.mongodbUrl);
  const users = modelsOf(own).users.collection as unknown as Record<string, (...given: unknown[]) => unknown>;
  const remove = users.deleteMany!.bind(users);
  users.deleteMany = async (...given) => {
    expect(await markVerified(stack.db, lucky._id, lucky.sign_up!)).toBe(true);
    return remove(...given);
  };
  expect(await removeExpiredAccounts(own, expired(), 100)).toBe(1);
  await own.close();
  expect(await leftOf(stack, other)).toEqual([]);
  // Its mail had done its work: the link was followed.
  await expectWhole(stack, lucky, ['users', 'profiles', 'settings', 'activities']);
});

test.for(faultKinds)(
  'a removal that meets "%s" at any step is finished by the next ones',
  async (kind, { stack }) => {
    const crashableDb = crashable(await connectDb(stack.config.mongodbUrl));
    for (let at = 0; ; at += 1) {
      expect(at, 'it takes fewer steps than this').toBeLessThan(30);
      const accounts = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs + 1_000)];
      const kept = await signedUp(stack, 0);
      const ended = await withFault({ kind, at }, () =>
        removeExpiredAccounts(crashableDb, expired(), 100),
      ).then(
        () => true,
        () => false,
      );
      await removeExpiredAccounts(stack.db, expired(), 100);
      await removeIncompleteAccounts(stack.db, new Date(Date.now() + 1_000));
      for (const account of accounts) expect(await leftOf(stack, account), `step ${at}`).toEqual([]);
      await expectWhole(stack, kept);
      if (!ended) continue;
      expect(at).toBeGreaterThan(5);
      break;
    }
    await crashableDb.close();
  },
);

/** Counts the commands that some work sends to the database. */
async function commandsOf(stack: TestStack, work: (db: Db) => Promise<unknown>): Promise<number> {
  const url = new URL(stack.config.mongodbUrl);
  url.searchParams.set('monitorCommands', 'true');
  const db = await connectDb(url.href);
  let commands = 0;
  connectionOf(db)
    .getClient()
    .on('commandStarted', () => {
      commands += 1;
    });
  await work(db);
  await db.close();
  return commands;
}

/** Inserts unverified accounts that signed up `agoMs` ago. By the driver: mongoose would check each of them for seconds. */
async function manySignedUp(stack: TestStack, count: number, agoMs: number): Promise<void> {
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

test('ten thousand unverified accounts cost a round of upkeep a few commands', {
  timeout: 120_000,
}, async ({ stack }) => {
  await manySignedUp(stack, 10_000, 60 * 60_000);
  const halfMade = await commandsOf(stack, (db) => removeIncompleteAccounts(db, ago(600_000)));
  const fresh = await commandsOf(stack, (db) => removeExpiredAccounts(db, expired(), 500));
  console.log(`commands with 10,000 unverified accounts: half made ${halfMade}, expired ${fresh}`);
  expect(halfMade).toBeLessThan(10);
  expect(fresh).toBeLessThan(10);

  await stack.models.users.updateMany({}, { password_changed_at: ago(lifeMs + day) });
  let removed = 0;
  const one = await commandsOf(stack, async (db) => {
    removed = await removeExpiredAccounts(db, expired(), 500);
  });
  console.log(`commands to remove ${removed}: ${one}`);
  expect(removed).toBe(500);
  expect(one).toBeLessThan(100);
  expect(await stack.models.users.countDocuments()).toBe(9_500);
  expect(await stack.models.profiles.countDocuments()).toBe(9_500);
});

test('a removal for another owner of the address takes no sign-up that came in between', async ({
  stack,
}) => {
  const first = await signedUp(stack, 0);
  const own = await connectDb(stack.config.mongodbUrl);
  const users = modelsOf(own).users.collection as unknown as Record<string, (...given: unknown[]) => unknown>;
  const find = users.findOne!.bind(users);
  users.findOne = async (...given) => {
    const found = await find(...given);
    await stack.models.users.updateOne({ _id: first._id }, { sign_up: 'a newer one' });
    return found;
  };
  await removeUnverifiedAccount(own, first.email);
  await own.close();
  await expectWhole(stack, first);
  await removeUnverifiedAccount(stack.db, first.email);
  expect(await leftOf(stack, first)).toEqual(['mails']);
});

test('a sign-in that read the account before its address changed does not write the old address back', async ({
  stack,
}) => {
  const { _id: id, email } = await signedUp(stack, 0, { verified: true });
  const moved = newAddress();
  await stack.models.users.updateOne({ _id: id }, { email: moved });
  await stack.models.profiles.updateOne({ _id: id }, { email: moved });
  expect(await recordSignIn(stack.db, { _id: id, email })).toMatchObject({ email: moved, login_count: 1 });
  expect(await stack.models.profiles.findById(id).lean()).toMatchObject({ email: moved });
  // A change that died between its two writes is finished by the next sign-in.
  await stack.models.profiles.updateOne({ _id: id }, { email });
  expect(await recordSignIn(stack.db, { _id: id, email: moved })).toMatchObject({
    email: moved,
    login_count: 2,
  });
  expect(await stack.models.profiles.findById(id).lean()).toMatchObject({ email: moved });
});
