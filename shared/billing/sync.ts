import { pauseForPlan } from '#shared/batches/run.ts';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { dueOfPack, usesOfPacks } from '#shared/credits/pack-images.ts';
import type { Db } from '#shared/data/db.ts';
import { isLeased } from '#shared/data/lease.ts';
import { beginReading, saveBillingState } from '#shared/data/profiles/billing.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { pendingEntriesOf } from '#shared/data/profiles/images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { announce } from '#shared/views/announce.ts';
import { computeBillingChange } from './billing-change.ts';
import { notifyOfPayments } from './billing-notifications.ts';
import type { BillingState } from './billing-state.ts';
import { withdrawCancellation } from './cancellation.ts';
import type { BillingContext } from './client.ts';
import { customersOf, isPeriodPaid } from './customer.ts';
import { fetchBillingState } from './fetch-billing-state.ts';
import { keepBillingEnded } from './keep-billing-ended.ts';
import { schedulePrice } from './schedule.ts';
import { sendStatusEmails } from './status-emails.ts';

/**
 * Reads a seller's billing state from Stripe and applies it to the profile. May run any number of times at once, in any
 * process: each reading is numbered before Stripe is asked, and none is applied after one with a greater number.
 * @returns the profile after it, with the state; null when the seller is gone
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
      return { profile: before, state: { customer: 'there', subscription: null, paid: [], packs: [] } };
    }
    const state = await fetchBillingState(billing, customers, before);
    if (state.customer === 'unknown' && isPeriodPaid(before)) {
      // The key may belong to another Stripe account, which knows none of our customers: a paid plan works on.
      log.error(
        { profile: sellerId, customer: customers[0] },
        'Stripe does not know the customer of a paid plan',
      );
      return { profile: before, state };
    }
    const profile = await applyBillingState(
      db,
      before,
      state,
      config.billing.graceMs,
      config.retention.images,
    );
    if (!profile) continue;
    reportUsedPacks(context, before, profile);
    if (profile.revision !== before.revision) await announce(context, sellerId, { profile });
    await pauseBatches(context, before, profile);
    await sendStatusEmails(context, profile).catch((error) => {
      // They stay in the profile, where upkeep finds them.
      log.warn({ err: error, profile: sellerId }, 'status emails were not enqueued');
    });
    await notifyOfPayments(context, profile).catch((error) => {
      // The event of the payment, or the next reading, writes them.
      log.warn({ err: error, profile: sellerId }, 'notifications of payments were not written');
    });
    await releaseFinishedSchedule(context, profile, state);
    await unpinPaymentMethod(context, profile, state);
    await finishWithdrawal(context, state);
    await keepBillingEnded(context, profile, state);
    return { profile, state };
  }
}

/**
 * Applies a billing state to the profile that it was read for. The balance may change meanwhile, the customer may not.
 * The state is dropped when a later reading has been applied: that one saw everything this one did.
 * @param before the profile as {@link beginReading} returned it
 * @param graceMs how long an overdue plan works from the start of the period that was not paid
 * @param imagesKeptMs how long images are kept when the plan ends; null for ever
 * @returns the profile after it; null when the seller is gone, or has another customer
 */
export async function applyBillingState(
  db: Db,
  before: ProfileRow,
  state: BillingState,
  graceMs: number,
  imagesKeptMs: number | null = null,
): Promise<ProfileRow | null> {
  const { _id: sellerId, billing_asked: reading, stripe_customer_id: customer } = before;
  for (let profile: ProfileRow | null = before; profile?.stripe_customer_id === customer; ) {
    if (profile.billing_applied >= reading) return profile;
    const change = computeBillingChange(profile, state, graceMs, new Date(), imagesKeptMs);
    const after: ProfileRow | null = await saveBillingState(db, profile, reading, change);
    if (after) {
      // All that are pending, also those that a crash left.
      if (pendingEntriesOf(after).some(({ posted }) => !posted)) await postPendingEntries(db, sellerId);
      return after;
    }
    profile = await findProfile(db, sellerId);
  }
  return null;
}

/** Tells operators of packs whose payment was returned after their images were used: nothing could be taken back for that part. */
function reportUsedPacks({ log }: BillingContext, before: ProfileRow, after: ProfileRow): void {
  for (const { pack, missing, unused } of usesOfPacks(after)) {
    const due = dueOfPack(after, pack);
    const used = due - missing - unused;
    if (due > dueOfPack(before, pack) && used > 0) {
      log.warn(
        { profile: after._id, pack: pack.key, used, takenBack: missing },
        'the payment of a pack was returned after images of it were used',
      );
    }
  }
}

/** Pauses the batches whose images are no longer on hold. One that this misses is paused when it is continued. */
async function pauseBatches(context: BillingContext, before: ProfileRow, after: ProfileRow): Promise<void> {
  const left = batchesThatWait(after);
  for (const id of [...batchesThatWait(before)].filter((each) => !left.has(each))) {
    await pauseForPlan(context, after, id).catch((error) => {
      context.log.warn({ err: error, batch: id }, 'a batch whose holds have ended was not paused');
    });
  }
}

const batchesThatWait = ({ holds }: ProfileRow) =>
  new Set(holds.flatMap(({ batch, waiting }) => (waiting && batch !== undefined ? [batch] : [])));

/**
 * Releases the subscription's schedule once the plan has changed: while it is attached, Stripe refuses to cancel the
 * subscription. A schedule that is just being created has no next phase either, so nothing happens while the plan is
 * being changed.
 */
async function releaseFinishedSchedule(
  { billing, log }: BillingContext,
  profile: ProfileRow,
  { subscription }: BillingState,
): Promise<void> {
  if (!subscription?.scheduleId || subscription.nextPlan !== null) return;
  if (isLeased(profile.billing_lease_until)) return;
  await billing.stripe.subscriptionSchedules.release(subscription.scheduleId).catch((error) => {
    log.warn({ err: error, schedule: subscription.scheduleId }, 'a schedule was not released');
  });
}

/** Lets the customer's default method pay from the next phase of a schedule on, instead of one that the phase names. */
async function unpinPaymentMethod(
  { billing, log }: BillingContext,
  profile: ProfileRow,
  { subscription }: BillingState,
): Promise<void> {
  if (!subscription?.scheduleId || subscription.pinnedPrice === null) return;
  if (isLeased(profile.billing_lease_until)) return;
  const { id, scheduleId, pinnedPrice: price, periodEnd } = subscription;
  const { stripe } = billing;
  try {
    const [now, schedule] = await Promise.all([
      stripe.subscriptions.retrieve(id),
      stripe.subscriptionSchedules.retrieve(scheduleId),
    ]);
    await schedulePrice(stripe, now, schedule, { price, at: periodEnd.getTime() / 1_000 });
  } catch (error) {
    log.warn({ err: error, schedule: scheduleId }, 'a schedule still names a payment method');
  }
}

/** Withdraws a planned cancellation once the seller has paid on a page of Stripe for the upgrade that withdraws it. */
async function finishWithdrawal(
  { billing, log }: BillingContext,
  { subscription }: BillingState,
): Promise<void> {
  if (!subscription?.isWithdrawalDue) return;
  await withdrawCancellation(billing.stripe, subscription.id).catch((error) => {
    log.warn({ err: error, subscription: subscription.id }, 'a cancellation was not withdrawn');
  });
}
