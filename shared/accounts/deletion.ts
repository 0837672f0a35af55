import type { BillingContext } from '#shared/billing/client.ts';
import { deleteStripeCustomers } from '#shared/billing/delete-customers.ts';
import {
  detachFromStripe,
  findAccountsToDelete,
  removeAccountData,
  removeCredentials,
  removeProfile,
} from '#shared/data/accounts/deletion.ts';
import { removeGeneration, withdrawGeneration } from '#shared/data/generations/end.ts';
import { findUnended, generationIdsOf } from '#shared/data/generations/find.ts';
import { removeMailsTo } from '#shared/data/mails.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { endSessionsOf } from '#shared/data/sessions.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Storage } from '#shared/platform/storage.ts';

/*
 * An account ends in three steps. It is marked, and its user is gone: nobody can sign in. Then all that is under way
 * for it is stopped: sessions, generations, the plan. Only then, when nobody writes for it any more, everything is
 * removed, the profile last: by it the rest is found again after a crash. Every step may be replayed.
 */

/** What a deletion needs; server and worker have it. */
export interface DeletionContext extends BillingContext {
  storage: Storage;
}

/** How long a request or a worker that knows the account may still write for it, in ms: it learns of the end within five seconds. */
export const settlingMs = 10_000;

/**
 * Goes on with a deletion as far as it can: stops what is under way, and removes everything once the account was marked
 * long enough ago.
 * @param settledBefore marked before this time, nobody writes for it any more
 * @returns whether nothing of the seller is left
 * @throws what Stripe or a store answered; then it is to be called again
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
  await stopActivity(context, profile, asked);
  if (asked > settledBefore) return false;
  await removeAll(context, profile);
  return true;
}

/** Finishes the deletions that are settled, also those whose process died. @returns how many accounts are gone */
export async function finishDeletions(
  context: DeletionContext,
  settledBefore: Date,
  most: number,
): Promise<number> {
  const given = await findAccountsToDelete(context.db, settledBefore, most);
  const errors: unknown[] = [];
  let gone = 0;
  for (const sellerId of given) {
    // One that Stripe does not answer for holds up no other.
    try {
      if (await finishDeletion(context, sellerId, settledBefore)) gone += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletions are not finished`);
  return gone;
}

/** Stops everything that is under way for an account. */
async function stopActivity(context: DeletionContext, profile: ProfileRow, markedAt: Date): Promise<void> {
  const { db, relay } = context;
  const { _id: sellerId, email } = profile;
  await removeCredentials(db, sellerId);
  for (const session of await endSessionsOf(db, sellerId)) relay.publishSessionEnd(session);
  // Only older mails: somebody else may have signed up with the address since.
  await removeMailsTo(db, email, markedAt);
  for (const { _id: id } of await findUnended(db, sellerId)) {
    const cancelled = await withdrawGeneration(db, sellerId, id);
    if (!cancelled) continue;
    relay.publishCancel(id);
    await settleGeneration(context, cancelled);
  }
  await deleteStripeCustomers(context, sellerId);
  await detachFromStripe(db, sellerId);
}

/** Removes all files and rows of an account. */
async function removeAll(
  { db, storage, relay }: DeletionContext,
  { _id: sellerId, email, full_name: fullName }: ProfileRow,
): Promise<void> {
  for await (const id of generationIdsOf(db, sellerId)) {
    // The row goes after its files: after a crash they are found by it.
    await storage.removeGeneration(id);
    await removeGeneration(db, id);
  }
  await removeAccountData(db, sellerId);
  await enqueueMail(db, relay, 'accountDeleted', email, { fullName }, { id: `deleted-${sellerId}` });
  await removeProfile(db, sellerId);
}
