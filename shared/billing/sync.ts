import { announce } from '../announce.ts';
import { pages, plans } from '../contract/index.ts';
import type { Data } from '../data/connect.ts';
import type { ProfileRow } from '../data/profile.ts';
import { enterBookings } from '../ledger.ts';
import { postMail } from '../outbox.ts';
import { applyBilling } from './apply.ts';
import type { BillingContext } from './client.ts';
import { readBilling } from './read.ts';
import type { BillingState } from './state.ts';

/**
 * Asks Stripe and makes a seller's plan and balance follow. Any number may run at once, in any process: what was read
 * before somebody else's newer reading was applied is thrown away and read again.
 * @returns the profile as it then stands, with Stripe's state; null when the seller is gone
 * @throws Stripe's error when it does not answer
 */
export async function syncBilling(
  context: BillingContext,
  profileId: string,
): Promise<{ profile: ProfileRow; state: BillingState } | null> {
  const { data, billing, config } = context;
  for (;;) {
    const before = await data.profiles.findById(profileId).lean();
    if (!before) return null;
    const { stripe_customer_id: customer } = before;
    if (customer === null) return { profile: before, state: { subscription: null, paid: [] } };
    const state = await readBilling(billing, customer);
    const profile = await takeBilling(data, before, state, config.billing.graceMs);
    if (!profile) continue;
    if (profile.revision !== before.revision) await announce(context, profileId, { profile });
    await tellOfEnds(context, before, profile);
    await releaseSpentSchedule(context, profile, state);
    return { profile, state };
  }
}

/**
 * Applies what Stripe says to the profile it was read for. The balance may move meanwhile; Stripe's part may not.
 * @param before the profile as it was before Stripe was asked
 * @returns the profile after it, or null when a newer reading was applied in between, or the seller is gone
 */
export async function takeBilling(
  data: Data,
  before: ProfileRow,
  state: BillingState,
  graceMs: number,
): Promise<ProfileRow | null> {
  const { _id: id, billing_revision: seen } = before;
  for (let profile: ProfileRow | null = before; profile?.billing_revision === seen; ) {
    const now = new Date();
    const change = applyBilling(profile, state, graceMs, now);
    const after: ProfileRow | null = await data.profiles
      .findOneAndUpdate(
        { _id: id, revision: profile.revision, billing_revision: seen },
        change
          ? {
              $set: { ...change.set, billing_seen_at: now },
              $push: { grants: { $each: change.grants }, forfeits: { $each: change.forfeits } },
              $inc: { revision: 1, billing_revision: 1 },
            }
          : { $set: { billing_seen_at: now } },
        { returnDocument: 'after' },
      )
      .lean();
    if (after) {
      // Also those of somebody who died before this.
      if ([...after.grants, ...after.forfeits].some(({ entered }) => !entered)) await enterBookings(data, id);
      return after;
    }
    profile = await data.profiles.findById(id).lean();
  }
  return null;
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
  if (profile.billing_busy_until !== null) return;
  await billing.stripe.subscriptionSchedules.release(subscription.scheduleId).catch((error) => {
    log.warn({ err: error, schedule: subscription.scheduleId }, 'a schedule was not released');
  });
}

/** Writes to a seller whose payment failed or whose plan has ended: once each, whoever sees it first. */
async function tellOfEnds(
  { data, relay, config }: BillingContext,
  before: ProfileRow,
  after: ProfileRow,
): Promise<void> {
  const { subscription_status: status, full_name: fullName } = after;
  // Whoever deletes the account gets one mail, about that.
  if (status === before.subscription_status || after.deletion_asked_at) return;
  const profileLink = config.linkUrl + pages.profile;
  if (status === 'past_due') {
    const period = after.subscription_data?.current_period_start.getTime();
    await postMail(
      data,
      relay,
      'paymentFailed',
      after.email,
      { fullName, graceUntil: after.grace_until, portalLink: profileLink },
      { id: `payment-failed-${after.subscription_id}-${period}` },
    );
  }
  if (status === 'canceled') {
    await postMail(
      data,
      relay,
      'subscriptionEnded',
      after.email,
      { fullName, planName: plans[before.subscription_plan].name, subscribeLink: profileLink },
      { id: `ended-${before.subscription_id}` },
    );
  }
}
