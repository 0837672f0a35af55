/** Unverified accounts are removed after days, incomplete ones after minutes, verified ones never. */
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
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
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

/** Makes an account that signed up `agoMs` ago, with an unsent mail, a link and an entry in the activity log. */
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
  const mail = { fullName: 'Test Seller', link: 'http://localhost/x', hours: 48, days: 7, freeImages: 3 };
  await enqueueMail(stack.db, stack.server.context.relay, 'verifyAddress', email, mail);
  // Removing an account keeps mails that are not older than the removal.
  await stack.models.mails.updateMany({ to: email }, { created_at: ago(agoMs) });
  return { ...user, email };
}

/** The collections that have data of an account. */
async function collectionsOf(
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
/** The collections of a complete account. Tokens are left out: MongoDB removes expired ones by itself. */
const completeAccount = ['users', 'profiles', 'settings', 'mails', 'activities'];
const expectComplete = async (
  stack: TestStack,
  account: { _id: string; email: string },
  parts = completeAccount,
  hint = '',
) =>
  expect(
    (await collectionsOf(stack, account)).filter((part) => part !== 'tokens'),
    hint,
  ).toEqual(parts);

test('upkeep removes an unverified account seven days after the last sign-up, and its address is free', async ({
  stack,
}) => {
  const [old, young] = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs - 60_000)];
  const worker = await stack.startWorker(frequentUpkeep);
  try {
    await expect.poll(() => collectionsOf(stack, old), eventually).toEqual([]);
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

test('an account that is verified, used, paid, known to Stripe or being deleted, or has a valid link, is kept', async ({
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
  const unused = await signedUp(stack, longAgo);
  expect(await removeExpiredAccounts(stack.db, expired(), 100)).toBe(1);
  expect(await collectionsOf(stack, unused)).toEqual([]);
  for (const [name, account] of Object.entries(kept))
    await expectComplete(stack, account, completeAccount, name);
});

test('another sign-up for the address restarts the seven days', async ({ stack }) => {
  const first = await signedUp(stack, lifeMs + 1_000);
  await createVisitor(stack.url).post(paths.accounts, signUpForm({ email: first.email }));
  await stack.models.accountTokens.deleteMany({});
  expect(await removeExpiredAccounts(stack.db, expired(), 100)).toBe(0);
  expect(await stack.models.users.exists({ _id: first._id })).not.toBeNull();
});

test('an account that is verified during its removal is kept with all its data', async ({ stack }) => {
  const [verified, other] = [await signedUp(stack, lifeMs + 1_000), await signedUp(stack, lifeMs + 1_000)];
  const removingDb = await connectDb(stack.config.mongodbUrl);
  const users = modelsOf(removingDb).users.collection as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const remove = users.deleteMany!.bind(users);
  users.deleteMany = async (...given) => {
    expect(await markVerified(stack.db, verified._id, verified.sign_up!)).toBe(true);
    return remove(...given);
  };
  expect(await removeExpiredAccounts(removingDb, expired(), 100)).toBe(1);
  await removingDb.close();
  expect(await collectionsOf(stack, other)).toEqual([]);
  // Its unsent mail is removed: the address is verified already.
  await expectComplete(stack, verified, ['users', 'profiles', 'settings', 'activities']);
});

test.for(faultKinds)(
  'a removal with the fault "%s" at any step is finished by the next one',
  async (kind, { stack }) => {
    const crashableDb = crashable(await connectDb(stack.config.mongodbUrl));
    for (let at = 0; ; at += 1) {
      expect(at, 'a removal takes fewer steps than this').toBeLessThan(30);
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
      for (const account of accounts) expect(await collectionsOf(stack, account), `step ${at}`).toEqual([]);
      await expectComplete(stack, kept);
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

/** Inserts unverified accounts that signed up `agoMs` ago. Uses the driver: validation by mongoose would take seconds. */
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

test('with a thousand unverified accounts, a round of upkeep takes a few commands', async ({ stack }) => {
  await manySignedUp(stack, 1_000, 60 * 60_000);
  const incompleteCommands = await commandsOf(stack, (db) => removeIncompleteAccounts(db, ago(600_000)));
  const expiredCommands = await commandsOf(stack, (db) => removeExpiredAccounts(db, expired(), 500));
  console.log(
    `commands with 1,000 unverified accounts: incomplete ${incompleteCommands}, expired ${expiredCommands}`,
  );
  expect(incompleteCommands).toBeLessThan(10);
  expect(expiredCommands).toBeLessThan(10);

  await stack.models.users.updateMany({}, { password_changed_at: ago(lifeMs + day) });
  let removed = 0;
  const removalCommands = await commandsOf(stack, async (db) => {
    removed = await removeExpiredAccounts(db, expired(), 500);
  });
  console.log(`commands to remove ${removed}: ${removalCommands}`);
  expect(removed).toBe(500);
  expect(removalCommands).toBeLessThan(100);
  expect(await stack.models.users.countDocuments()).toBe(500);
  expect(await stack.models.profiles.countDocuments()).toBe(500);
});

test('removing an unverified account for a new owner of its address does not remove a newer sign-up', async ({
  stack,
}) => {
  const first = await signedUp(stack, 0);
  const removingDb = await connectDb(stack.config.mongodbUrl);
  const users = modelsOf(removingDb).users.collection as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const find = users.findOne!.bind(users);
  users.findOne = async (...given) => {
    const found = await find(...given);
    await stack.models.users.updateOne({ _id: first._id }, { sign_up: 'a newer one' });
    return found;
  };
  await removeUnverifiedAccount(removingDb, first.email);
  await removingDb.close();
  await expectComplete(stack, first);
  await removeUnverifiedAccount(stack.db, first.email);
  expect(await collectionsOf(stack, first)).toEqual(['mails']);
});

test('a sign-in that read the account before its address changed does not write the old address back', async ({
  stack,
}) => {
  const { _id: id, email } = await signedUp(stack, 0, { verified: true });
  const changed = newAddress();
  await stack.models.users.updateOne({ _id: id }, { email: changed });
  await stack.models.profiles.updateOne({ _id: id }, { email: changed });
  expect(await recordSignIn(stack.db, { _id: id, email })).toMatchObject({ email: changed, login_count: 1 });
  expect(await stack.models.profiles.findById(id).lean()).toMatchObject({ email: changed });
  // A change of address that failed between its two writes is finished by the next sign-in.
  await stack.models.profiles.updateOne({ _id: id }, { email });
  expect(await recordSignIn(stack.db, { _id: id, email: changed })).toMatchObject({
    email: changed,
    login_count: 2,
  });
  expect(await stack.models.profiles.findById(id).lean()).toMatchObject({ email: changed });
});
