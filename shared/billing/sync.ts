import { postPendingEntries } from '#shared/credits/ledger.ts';
import type { Db } from '#shared/data/db.ts';
import { pendingEntriesOf } from '#shared/data/profiles/pending-entries.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { announce } from '#shared/generations/announce.ts';
import { applyBilling, type BillingChange } from './apply.ts';
import type { BillingState } from './billing-state.ts';
import type { BillingContext } from './client.ts';
import { customersOf, periodRuns } from './customer.ts';
import { fetchBillingState } from './fetch-billing-state.ts';
import { sendStatusEmails } from './status-emails.ts';

/**
 * Asks Stripe and makes a seller's plan and balance follow. Any number may run at once, in any process: each reading has
 * a number, given before Stripe is asked, and none is applied after one with a greater number.
 * @returns the profile as it then stands, with Stripe's state; null when the seller is gone
 * @throws Stripe's error when it does not answer
 */
export async function syncBilling(
  context: BillingContext,
  sellerId: string,
): Promise<{ profile: ProfileRow; state: BillingState } | null> {
  const { db, billing, config, log } = context;
  for (;;) {
    const before = await beginReading(db, sellerId);
    if (!before) return null;
    const customers = customersOf(before);
    if (customers.length === 0) {
      return { profile: before, state: { customer: 'there', subscription: null, paid: [] } };
    }
    const state = await fetchBillingState(billing, customers);
    if (state.customer === 'unknown' && periodRuns(before)) {
      // A key of another account of Stripe's knows no customer of ours: what was paid for goes on until it is over.
      log.error(
        { profile: sellerId, customer: customers[0] },
        'Stripe does not know the customer of a paid plan',
      );
      return { profile: before, state };
    }
    const profile = await saveBillingState(db, before, state, config.billing.graceMs);
    if (!profile) continue;
    if (profile.revision !== before.revision) await announce(context, sellerId, { profile });
    await sendStatusEmails(context, profile).catch((error) => {
      // They stand in the profile: upkeep posts them.
      log.warn({ err: error, profile: sellerId }, 'mails about a plan were not posted');
    });
    await releaseSpentSchedule(context, profile, state);
    return { profile, state };
  }
}

/** Gives a reading its number: `billing_asked` of the profile that comes back. @returns null when the seller is gone */
export function beginReading(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return db.profiles
    .findOneAndUpdate({ _id: sellerId }, { $inc: { billing_asked: 1 } }, { returnDocument: 'after' })
    .lean();
}

/**
 * Applies what Stripe says to the profile it was read for. The balance may move meanwhile; the customer may not. What was
 * read before a reading that was applied already is thrown away: that one was begun later and has seen all of it.
 * @param before the profile as it was when the reading began
 * @returns the profile after it; null when the seller is gone, or got another customer
 */
export async function saveBillingState(
  db: Db,
  before: ProfileRow,
  state: BillingState,
  graceMs: number,
): Promise<ProfileRow | null> {
  const { _id: id, billing_asked: reading, stripe_customer_id: customer } = before;
  for (let profile: ProfileRow | null = before; profile?.stripe_customer_id === customer; ) {
    if (profile.billing_applied >= reading) return profile;
    const now = new Date();
    const change = applyBilling(profile, state, graceMs, now);
    const seen = { billing_applied: reading, billing_seen_at: now, billing_retry: null };
    const after: ProfileRow | null = await db.profiles
      .findOneAndUpdate(
        {
          _id: id,
          revision: profile.revision,
          stripe_customer_id: customer,
          billing_applied: { $lt: reading },
        },
        change ? updateOf(change, seen) : { $set: seen },
        { returnDocument: 'after' },
      )
      .lean();
    if (after) {
      // Also those of somebody who died before this.
      if (pendingEntriesOf(after).some(({ posted }) => !posted)) await postPendingEntries(db, id);
      return after;
    }
    profile = await db.profiles.findById(id).lean();
  }
  return null;
}

/** The one update that makes a change. */
function updateOf({ set, ...added }: BillingChange, seen: object) {
  const pushes = Object.entries(added).map(([list, items]) => [list, { $each: items }]);
  return { $set: { ...set, ...seen }, $push: Object.fromEntries(pushes), $inc: { revision: 1 } };
}

/**
 * A schedule has done its work once the plan has changed; while it stays, Stripe lets nobody cancel the subscription.
 * One that is being made right now has no change before it either, so this waits until nobody is changing the plan.
 */
async function releaseSpentSchedule(
  { billing, log }: BillingContext,
  profile: ProfileRow,
  { subscription }: BillingState,
): Promise<void> {
  if (!subscription?.scheduleId || subscription.nextPlan !== null) return;
  if (profile.billing_lease_until !== null) return;
  await billing.stripe.subscriptionSchedules.release(subscription.scheduleId).catch((error) => {
    log.warn({ err: error, schedule: subscription.scheduleId }, 'a schedule was not released');
  });
}
