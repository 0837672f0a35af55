import type { BillingContext } from '#shared/billing/client.ts';
import { deleteStripeCustomers } from '#shared/billing/delete-customers.ts';
import { removeTokens } from '#shared/data/account-tokens.ts';
import type { Db } from '#shared/data/db.ts';
import { withdrawGeneration } from '#shared/data/generations/list.ts';
import { forgetDevices } from '#shared/data/known-devices.ts';
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

/** Marks an account as given up: from now on it is nobody's, and its address is free. */
export async function beginDeletion(db: Db, sellerId: string): Promise<void> {
  await db.profiles.updateOne(
    { _id: sellerId, deletion_asked_at: null },
    { $set: { deletion_asked_at: new Date(), updated_at: new Date() } },
  );
  await db.users.deleteOne({ _id: sellerId });
}

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
  const profile = await context.db.profiles.findById(sellerId).lean();
  if (!profile) return true;
  const { deletion_asked_at: asked } = profile;
  if (!asked) return false;
  await stopAll(context, profile, asked);
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
  const given = await context.db.profiles
    .find({ deletion_asked_at: { $lte: settledBefore } })
    .select({ _id: 1 })
    .limit(most)
    .lean();
  const errors: unknown[] = [];
  let gone = 0;
  for (const { _id } of given) {
    // One that Stripe does not answer for holds up no other.
    try {
      if (await finishDeletion(context, _id, settledBefore)) gone += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletions are not finished`);
  return gone;
}

async function stopAll(context: DeletionContext, profile: ProfileRow, asked: Date): Promise<void> {
  const { db, relay } = context;
  const { _id: id, email } = profile;
  await db.users.deleteOne({ _id: id });
  await removeTokens(db, id);
  await forgetDevices(db, id);
  for (const session of await endSessionsOf(db, id)) relay.publishSessionEnd(session);
  // What was written to this seller and not sent; whoever signs up with the address again gets other mails.
  await db.mails.deleteMany({ to: email, created_at: { $lt: asked } });
  const waiting = await db.generations
    .find({ profile: id, admitted_at: { $ne: null }, state: { $in: ['queued', 'running'] } })
    .select({ _id: 1 })
    .lean();
  for (const { _id } of waiting) {
    const cancelled = await withdrawGeneration(db, id, _id);
    if (!cancelled) continue;
    relay.publishCancel(_id);
    await settleGeneration(context, cancelled);
  }
  await deleteStripeCustomers(context, id);
  // What Stripe still tells of the customer is about nobody.
  await db.profiles.updateOne(
    { _id: id, stripe_customer_id: { $ne: null } },
    { $set: { stripe_customer_id: null, former_customers: [] }, $inc: { revision: 1 } },
  );
}

async function removeAll(
  { db, storage, relay }: DeletionContext,
  { _id: id, email, full_name: fullName }: ProfileRow,
): Promise<void> {
  for await (const row of db.generations.find({ profile: id }).select({ _id: 1 }).lean().cursor()) {
    // The row goes after its files: by it they are found.
    await storage.removeGeneration(row._id);
    await db.generations.deleteOne({ _id: row._id });
  }
  await db.creditEntries.deleteMany({ profile: id });
  await db.userSettings.deleteOne({ _id: id });
  await db.activities.deleteMany({ user_id: id });
  await enqueueMail(db, relay, 'accountDeleted', email, { fullName }, { id: `deleted-${id}` });
  await db.profiles.deleteOne({ _id: id });
}
