/** Unverified accounts are removed after days, incomplete ones after minutes, verified ones never. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { removeIncompleteAccounts } from '#shared/data/accounts/incomplete.ts';
import { markVerified, recordSignIn } from '#shared/data/accounts/sign-in.ts';
import { removeExpiredAccounts, removeUnverifiedAccount } from '#shared/data/accounts/unverified.ts';
import { connectDb } from '#shared/data/connect.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { eventually } from '#tests/support/harness.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';
import {
  ago,
  collectionsOf,
  completeAccount,
  day,
  expectComplete,
  expectFinishedByNext,
  expired,
  lifeMs,
  signedUp,
  test,
} from './unverified-steps.ts';

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

test.for(['dies-before', 'answer-lost'] as const)(
  'a removal with the fault "%s" is finished by the next one: at the first step, and at every third one',
  async (kind, { stack, crashableDb }) => {
    let at = 0;
    while (await expectFinishedByNext(stack, crashableDb, { kind, at })) at += 3;
    expect(at).toBeGreaterThan(5);
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

test('a round of upkeep sends as many commands for ninety unverified accounts as for ten', async ({
  stack,
}) => {
  const commandsFor = async (count: number) => {
    await stack.models.users.deleteMany({});
    await manySignedUp(stack, count, 60 * 60_000);
    const kept = await commandsOf(stack, async (db) => {
      await removeIncompleteAccounts(db, ago(600_000));
      await removeExpiredAccounts(db, expired(), 500);
    });
    await stack.models.users.updateMany({}, { password_changed_at: ago(lifeMs + day) });
    const removed = await commandsOf(stack, (db) => removeExpiredAccounts(db, expired(), 500));
    expect(await stack.models.users.countDocuments()).toBe(0);
    return { kept, removed };
  };
  const few = await commandsFor(10);
  expect(await commandsFor(90)).toEqual(few);
});

test('a removal stops after the batch with which it reaches its limit', async ({ stack }) => {
  await manySignedUp(stack, 205, lifeMs + day);
  expect(await removeExpiredAccounts(stack.db, expired(), 100)).toBe(100);
  expect(await stack.models.users.countDocuments()).toBe(105);
  expect(await stack.models.profiles.countDocuments()).toBe(105);
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
