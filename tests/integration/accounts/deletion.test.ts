import type mongoose from 'mongoose';
import { expect } from 'vitest';
import { paths } from '#contract';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/create.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { placesEmptiedByField, type SellerPlaceName } from '#shared/data/accounts/seller-places.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { anotherSession, call, signIn } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { leaseBilling, subscriber } from '#tests/support/subscriber.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';
import { countLeft, expectFinishedByUpkeep, test } from './deletion-steps.ts';

/**
 * Waits for what is written a moment after a submission: these tests leave nothing of the time that upkeep gives late writes.
 * @param id of the seller's last generation
 */
async function untilWritten({ models }: TestStack, seller: Seller, id: string): Promise<void> {
  const { created_at: submitted } = (await models.generations.findById(id).lean())!;
  const isWritten = () => models.projects.exists({ _id: seller.id, updated_at: { $gte: submitted } });
  await expect.poll(isWritten, eventually).toBeTruthy();
}

/**
 * Gives a seller data in every collection: a finished one and a set of two running generations, and a pending change of address.
 * @returns the ids of the generations
 */
async function addData(stack: TestStack, seller: Seller): Promise<string[]> {
  await stack.images.set({ default: { kind: 'ok' } });
  const window = await seller.openWindow();
  const done = await seller.submit();
  await window.untilEnded(done.id);
  await stack.images.set({ default: { kind: 'hold' } });
  const running = (await seller.submitSet(2)).map(({ id }) => id);
  for (const id of running) await window.until(id, ({ state }) => state === 'running');
  window.close();
  await untilWritten(stack, seller, running.at(-1)!);
  await call(seller, 'POST', paths.email, { email: `new-${seller.email}`, password: testPassword });
  return [done.id, ...running];
}

test('deleting an account removes all of its data, ends its plan and frees its address', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const customer = (await stack.models.profiles.findById(seller.id).lean())!.stripe_customer_id!;
  const generations = await addData(stack, seller);
  const other = await anotherSession(stack.url, seller);
  const window = await other.openWindow();
  const closed = new Promise((resolve) => window.socket.once('disconnect', resolve));

  const answer = await call(seller, 'POST', paths.deletion, { password: testPassword });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toMatch(/^packshot=;/);
  await closed;
  for (const each of [seller, other]) expect((await each.request(paths.me)).status).toBe(401);
  expectError(await signIn(stack.url, { email: seller.email }), 'BAD_CREDENTIALS');
  // In the background after the reply: the running generation is stopped and the customer at Stripe is deleted.
  const { stripe } = stack.server.context.billing;
  await expect.poll(async () => (await stripe.customers.retrieve(customer)).deleted).toBe(true);
  await expect.poll(async () => (await stack.images.state()).active).toBe(0);
  await stack.stripe.settled();
  await expect
    .poll(async () => (await stack.models.profiles.findById(seller.id).lean())?.stripe_customer_id)
    .toBeNull();

  // A new account with the same address can be created meanwhile.
  const successor = await stack.seller({ email: seller.email });
  expect(successor.id).not.toBe(seller.id);
  expect((await runBillingUpkeep(workerContext(stack), atOnce)).accountsDeleted).toBe(1);
  expect(await countLeft(stack, seller.id, 'nobody', generations)).toEqual({});
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'deleted' });
  expect(mail.text).toContain('was deleted');
  const subjects = (await stack.mails.mails(seller.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /subscription/i.test(subject))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect((await successor.me()).user.email).toBe(seller.email);
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ accountsDeleted: 0 });
});

test('nothing is removed while other processes may still write for the account', async ({ stack }) => {
  const seller = await stack.seller();
  await beginDeletion(stack.db, seller.id);
  const context = workerContext(stack);
  expect(await finishDeletion(context, seller.id)).toBe(false);
  expect(await stack.models.profiles.countDocuments({ _id: seller.id })).toBe(1);
  // The upkeep that removes incomplete sign-ups does not remove it either.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { login_count: 0 } });
  await removeIncompleteAccounts(stack.db, new Date());
  expect(await stack.models.profiles.countDocuments({ _id: seller.id })).toBe(1);
  expect(await finishDeletion(context, seller.id, new Date())).toBe(true);
  expect(await finishDeletion(context, seller.id, new Date())).toBe(true);
});

test('a cutout that a worker stores just before its generation is gone is removed too', async ({ stack }) => {
  const seller = await stack.seller();
  const { id } = await seller.submit();
  await untilWritten(stack, seller, id);
  const { photo_set: photoSet, photos } = (await stack.models.generations.findById(id).lean())!;
  const cutout = storageKeys.cutout(photos[0]!.key);
  await beginDeletion(stack.db, seller.id);
  const context = workerContext(stack);
  let late = 0;
  const storage: Storage = {
    ...context.storage,
    async removePhotoSet(...given) {
      await context.storage.removePhotoSet(...given);
      if (given[0] !== photoSet || !(await stack.models.generations.exists({ _id: id }))) return;
      await context.storage.put(cutout, Buffer.from('a cutout'));
      late += 1;
    },
  };
  expect(await finishDeletion({ ...context, storage }, seller.id, new Date())).toBe(true);
  expect(late).toBe(1);
  expect(await context.storage.has(cutout)).toBe(false);
});

test('an account that is not marked for deletion is not removed', async ({ stack }) => {
  const seller = await stack.seller();
  expect(await finishDeletion(workerContext(stack), seller.id, new Date())).toBe(false);
  expect((await seller.me()).user.id).toBe(seller.id);
});

test('an account whose plan is being changed is not removed yet, and does not delay other deletions', async ({
  stack,
}) => {
  const [busy, other] = [await stack.seller(), await stack.seller()];
  for (const { id } of [busy, other]) await beginDeletion(stack.db, id);
  await leaseBilling(stack, busy, new Date(Date.now() + 60_000));
  await expect(runBillingUpkeep(workerContext(stack), atOnce)).rejects.toThrow(/accountsDeleted/);
  expect(await stack.models.profiles.countDocuments({ _id: busy.id })).toBe(1);
  expect(await stack.models.profiles.countDocuments({ _id: other.id })).toBe(0);
  await leaseBilling(stack, busy, null);
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await stack.models.profiles.countDocuments({ _id: busy.id })).toBe(0);
});

test('a deletion that died in the middle is finished by upkeep', async ({ stack, crashableDb, queued }) => {
  expect(await expectFinishedByUpkeep(stack, crashableDb, queued, { kind: 'dies-before', at: 10 })).toBe(
    true,
  );
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

const emptied = placesEmptiedByField();

test('an account stays marked until each of its removals has had its effect', async ({
  stack,
  crashableDb,
}) => {
  const context = workerContext(stack, crashableDb);
  expect(emptied.length).toBeGreaterThan(10);
  for (const { name, field } of emptied) {
    const seller = await stack.seller();
    await beginDeletion(stack.db, seller.id);
    const rows = stack.models[name].collection as unknown as Collection;
    // Whatever it is: by the seller's id it is found.
    if (field === '_id') await rows.insertOne({ _id: seller.id, email: seller.id }).catch(takenAlready);
    else {
      const files = name === 'fileRemovals' && { generations: [], photo_set: newId() };
      await rows.insertOne({ _id: newId(), [field]: seller.id, key: newId(), ...files });
    }
    const restore = ignoreRemovals(crashableDb, name);
    await expect(finishDeletion(context, seller.id, new Date()), name).rejects.toThrow(
      /not removed|left documents/,
    );
    expect(await stack.models.profiles.exists({ _id: seller.id }), name).not.toBeNull();
    expect(await stack.models.mails.exists({ _id: `deleted-${seller.id}` }), name).toBeNull();
    restore();
    expect(await finishDeletion(context, seller.id, new Date()), name).toBe(true);
    expect(await rows.countDocuments({ [field]: seller.id }), name).toBe(0);
  }
});

type Collection = mongoose.mongo.Collection<{ _id: string; [field: string]: unknown }>;

function takenAlready(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** Makes a collection say of each removal, also of an id, that it matched nothing, and keep its documents. @returns what ends that */
function ignoreRemovals(db: Db, name: SellerPlaceName): () => void {
  const collection = modelsOf(db)[name].collection as unknown as Record<string, unknown>;
  // Costs stay, without the seller's id.
  const names = ['deleteOne', 'deleteMany', 'updateMany'] as const;
  const before = names.map((each) => collection[each]);
  for (const each of names)
    collection[each] = async () => ({
      acknowledged: true,
      deletedCount: 0,
      matchedCount: 0,
      modifiedCount: 0,
    });
  return () => {
    for (const [index, each] of names.entries()) collection[each] = before[index];
  };
}
