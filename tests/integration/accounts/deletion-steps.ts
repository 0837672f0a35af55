/** Shared by the tests of deletion: what an account leaves, and a deletion that fails at one step. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { deviceKey, rememberDevice } from '#shared/data/accounts/sign-in.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { type Fault, meetsFault } from '#tests/support/faults.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';

// The tests run upkeep themselves: the workers' own rounds could finish a deletion before a test has checked it.
export const test = testWithCrashableDb().extend('queued', { scope: 'file' }, async ({ stack }) => {
  const seller = await stack.seller();
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  const generation = (await stack.models.generations.findById(id).lean())!;
  const { holds, generations_left } = (await stack.models.profiles.findById(seller.id).lean())!;
  return { generation, profile: { holds, generations_left } };
});

/** A generation that waits for a worker, and what its seller's profile has of it. */
interface Queued {
  generation: object;
  profile: { holds: object[]; generations_left: number };
}

const foldersIn = (stack: TestStack, name: string) => readdir(join(stack.storageFolder, name));

/** The number of documents that a seller has left in each collection, and of folders; zeros are omitted. */
export async function countLeft(
  stack: TestStack,
  id: string,
  email: string,
  generations: string[],
): Promise<Record<string, number>> {
  const { models } = stack;
  const left = {
    users: await models.users.countDocuments({ _id: id }),
    profiles: await models.profiles.countDocuments({ _id: id }),
    settings: await models.userSettings.countDocuments({ user_id: id }),
    sessions: await models.sessions.countDocuments({ user_id: id }),
    tokens: await models.accountTokens.countDocuments({ user_id: id }),
    devices: await models.knownDevices.countDocuments({ user_id: id }),
    activities: await models.activities.countDocuments({ user_id: id }),
    generations: await models.generations.countDocuments({ profile: id }),
    notifications: await models.notifications.countDocuments({ profile: id }),
    ledger: await models.creditEntries.countDocuments({ profile: id }),
    mails: await models.mails.countDocuments({ to: email, subject: { $ne: 'Your account was deleted' } }),
    folders: (await foldersIn(stack, 'generations')).filter((id) => generations.includes(id)).length,
    photoSets: (await foldersIn(stack, 'photo-sets')).filter((id) => generations.includes(id)).length,
  };
  return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));
}

/** Inserts a finished and a waiting generation of a seller, a known device and a token. @returns ids of the generations */
async function insertData(stack: TestStack, seller: Seller, queued: Queued): Promise<string[]> {
  const { db, models } = stack;
  const { storage } = stack.server.context;
  const [done, waiting] = [newId(), newId()];
  const row = (id: string) => ({
    ...queued.generation,
    _id: id,
    profile: seller.id,
    idempotency_key: randomUUID(),
    root: id,
    photo_set: id,
    set: { id, index: 0, size: 1 },
  });
  const image = { key: storageKeys.image(done, 1), width: 1, height: 1, bytes: 1, sha256: 'hash' };
  await models.generations.insertMany([
    { ...row(done), state: 'succeeded', image },
    { ...row(waiting), state: 'queued' },
  ] as never);
  const holds = queued.profile.holds.map((hold) => ({ ...hold, generation: waiting }));
  await models.profiles.updateOne({ _id: seller.id }, { $set: { ...queued.profile, holds } });
  const keys = [image.key, ...[done, waiting].map((id) => storageKeys.photo(id, 0, 'png'))];
  for (const key of keys) await storage.put(key, Buffer.alloc(1));
  await rememberDevice(db, deviceKey('secret', seller.id), seller.id, false);
  await issueToken(db, { kind: 'change-email', sellerId: seller.id, lifeMs: 60_000 });
  return [done, waiting];
}

/**
 * Deletes an account with a fault at one step, and expects upkeep to finish it with nothing left and one mail.
 * @param crashableDb what the deletion uses
 * @param queued what the seller's generations are copied from
 * @returns whether the deletion had that step
 */
export async function expectFinishedByUpkeep(
  stack: TestStack,
  crashableDb: Db,
  queued: Queued,
  fault: Fault,
): Promise<boolean> {
  const seller = await stack.seller();
  const generations = await insertData(stack, seller, queued);
  const work = async () => {
    await beginDeletion(crashableDb, seller.id);
    await finishDeletion(workerContext(stack, crashableDb), seller.id, new Date());
  };
  const failed = await meetsFault(fault, work);
  const unmarked = await stack.models.profiles.findOne({ _id: seller.id, deletion_asked_at: null }).lean();
  // It failed before the account was marked: the seller got no reply and still has the account.
  if (unmarked) {
    expect((await seller.me()).user.id).toBe(seller.id);
    await beginDeletion(stack.db, seller.id);
  }
  await runBillingUpkeep(workerContext(stack), atOnce);
  const left = await countLeft(stack, seller.id, seller.email, generations);
  expect({ ...fault, left }).toEqual({ ...fault, left: {} });
  expect(await stack.models.mails.countDocuments({ _id: `deleted-${seller.id}` })).toBe(1);
  return failed;
}
