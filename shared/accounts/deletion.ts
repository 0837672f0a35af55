import type { BillingContext } from '#shared/billing/client.ts';
import { deleteStripeCustomers } from '#shared/billing/delete-customers.ts';
import {
  assertNothingLeft,
  detachFromStripe,
  findAccountsToDelete,
  removeAccountData,
  removeCredentials,
  removeProfile,
} from '#shared/data/accounts/deletion.ts';
import { endSessionsOf } from '#shared/data/accounts/sessions.ts';
import { findBatchIdsOf, removeBatchesOf } from '#shared/data/batches/batches.ts';
import { findFileRemovalsOf } from '#shared/data/file-removals.ts';
import { removeGeneration, withdrawGeneration } from '#shared/data/generations/end.ts';
import { fileOwnersOf, findUnended } from '#shared/data/generations/find.ts';
import { findLookIdsOf, removeLook } from '#shared/data/looks.ts';
import { removeMailsTo } from '#shared/data/mails.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { removeTestSeller } from '#shared/data/sandbox.ts';
import { sandboxOf, testSellerOf } from '#shared/data/test-seller.ts';
import { removeFiles } from '#shared/generations/remove-files.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Storage } from '#shared/storage/storage.ts';

/*
 * An account is deleted in three steps (docs/decisions/0010-delete-accounts-in-three-steps.md). First it is marked and its
 * user is removed, so that nobody can sign in. Then sessions, generations and the plan are ended. Once no process writes
 * for the account any more, everything is removed. The profile goes last: after a crash, upkeep finds the rest by it.
 * Every step is idempotent.
 */

/** What a deletion needs. The contexts of server and worker include it. */
export interface DeletionContext extends BillingContext {
  storage: Storage;
}

/**
 * How long a request or job may still write for an account after it was marked, in ms. Servers and workers learn of the
 * mark within five seconds.
 */
export const settlingMs = 10_000;

/**
 * Continues a deletion as far as possible: ends sessions, generations and plan, and removes everything if the account was
 * marked long enough ago.
 * @param settledBefore no process writes any more for accounts that were marked before this time
 * @returns whether everything is removed
 * @throws errors of Stripe or a store; the next call continues
 */
export async function finishDeletion(
  context: DeletionContext,
  sellerId: string,
  settledBefore = new Date(Date.now() - settlingMs),
): Promise<boolean> {
  const profile = await findProfile(context.db, sellerId);
  if (!profile) return true;
  const { deletion_asked_at: asked } = profile;
  if (!asked) return false;
  // Whoever restores a backup of before finds those that must be deleted again (docs/runbook.md#restore).
  context.log.info({ seller: sellerId }, 'an account is deleted');
  await stopActivity(context, profile, asked);
  if (asked > settledBefore) return false;
  await removeAll(context, profile);
  return true;
}

/**
 * Finishes the deletions of accounts that were marked long enough ago, for upkeep.
 * @param limit accounts at most
 * @returns the number of accounts removed
 * @throws AggregateError after all accounts were tried, if some failed
 */
export async function finishDeletions(
  context: DeletionContext,
  settledBefore: Date,
  limit: number,
): Promise<number> {
  const marked = await findAccountsToDelete(context.db, settledBefore, limit);
  const errors: unknown[] = [];
  let removed = 0;
  for (const sellerId of marked) {
    // A failure, of Stripe for instance, must not block the other accounts.
    try {
      if (await finishDeletion(context, sellerId, settledBefore)) removed += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletions are not finished`);
  return removed;
}

/** Ends sessions, generations and plan of an account. */
async function stopActivity(context: DeletionContext, profile: ProfileRow, markedAt: Date): Promise<void> {
  const { db, relay } = context;
  const { _id: sellerId, email } = profile;
  await removeCredentials(db, sellerId);
  for (const session of await endSessionsOf(db, sellerId)) relay.publishSessionEnd(session);
  // Only mails from before: somebody else may have signed up with the address since.
  await removeMailsTo(db, email, markedAt);
  await stopImages(context, sellerId);
  await stopImages({ ...context, db: sandboxOf(db) }, testSellerOf(sellerId));
  await deleteStripeCustomers(context, sellerId);
  await detachFromStripe(db, sellerId);
}

/** Cancels the images of a seller that have not ended. */
async function stopImages(context: DeletionContext, sellerId: string): Promise<void> {
  const { db, relay } = context;
  for (const { _id: id } of await findUnended(db, [sellerId])) {
    const cancelled = await withdrawGeneration(db, sellerId, id);
    if (!cancelled) continue;
    relay.publishCancel(id);
    await settleGeneration(context, cancelled);
  }
}

/** Removes the images of a seller and the photos of batches, with their files. */
async function removeImages({ db, storage }: Pick<DeletionContext, 'db' | 'storage'>, sellerId: string) {
  for await (const { _id: id, photo_set: photoSet } of fileOwnersOf(db, sellerId)) {
    // The row goes after its files: after a crash, the files are found by it.
    await storage.removeGeneration(id);
    // Whatever else refers to these photos is the seller's too.
    if (photoSet !== undefined) await storage.removePhotoSet(photoSet);
    await removeGeneration(db, id);
    // A worker that still found the row may have stored a cutout of its photos since.
    if (photoSet !== undefined) await storage.removePhotoSet(photoSet);
  }
  for (const removal of await findFileRemovalsOf(db, sellerId)) await removeFiles({ db, storage }, removal);
  // Photos of batches that were never started belong to no generation.
  for (const id of await findBatchIdsOf(db, sellerId)) await storage.removePhotoSet(id);
  await removeBatchesOf(db, sellerId);
}

/** Removes all files and rows of an account. */
async function removeAll({ db, storage, relay }: DeletionContext, profile: ProfileRow): Promise<void> {
  const { _id: sellerId, email, full_name: fullName, deletion_by_operator: byOperator = false } = profile;
  await removeImages({ db, storage }, sellerId);
  const sandbox = sandboxOf(db);
  await removeImages({ db: sandbox, storage }, testSellerOf(sellerId));
  await removeTestSeller(sandbox, testSellerOf(sellerId));
  for (const id of await findLookIdsOf(db, sellerId)) {
    await storage.removeLook(id);
    await removeLook(db, id);
  }
  await removeAccountData(db, profile);
  await assertNothingLeft(db, sellerId);
  await enqueueMail(
    db,
    relay,
    'accountDeleted',
    email,
    { fullName, byOperator },
    { id: `deleted-${sellerId}` },
  );
  await removeProfile(db, sellerId);
}
