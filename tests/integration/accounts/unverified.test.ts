/** Unverified accounts are removed after days, incomplete ones after minutes, verified ones never. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { markVerified, recordSignIn } from '#shared/data/accounts/sign-in.ts';
import { removeExpiredAccounts, removeUnverifiedAccount } from '#shared/data/accounts/unverified.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { connectDb } from '#shared/data/connect.ts';
import { eventually } from '#tests/support/harness.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';
import {
  collectionsOf,
  completeAccount,
  day,
  expectComplete,
  expectFinishedByNext,
  expired,
  lifeMs,
  manySignedUp,
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

test('a removal that died in the middle is finished by the next one', async ({ stack, crashableDb }) => {
  expect(await expectFinishedByNext(stack, crashableDb, { kind: 'dies-before', at: 3 })).toBe(true);
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
