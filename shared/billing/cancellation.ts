import type Stripe from 'stripe';
import type { PlanId } from '#contract';
import { idOf } from './catalogue.ts';
import { nullIfMissing } from './client.ts';

type Planned = Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>;

/** Whether a subscription ends with its current period, in either of Stripe's forms. @param periodEnd in Unix seconds */
export function endsWithPeriod(subscription: Planned, periodEnd: number): boolean {
  const { cancel_at: at, cancel_at_period_end: flag } = subscription;
  return flag || (at !== null && at <= periodEnd);
}

/**
 * What an update needs so that a planned cancellation is withdrawn. In the flexible billing mode the portal sets only
 * `cancel_at`, which `cancel_at_period_end: false` does not clear; Stripe refuses an update with both.
 */
export function withdrawal(subscription: Planned): Stripe.SubscriptionUpdateParams {
  if (subscription.cancel_at !== null) return { cancel_at: '' };
  return subscription.cancel_at_period_end ? { cancel_at_period_end: false } : {};
}

/**
 * Withdraws a planned cancellation, in whichever form Stripe has it. Idempotent.
 * @throws Stripe's error; an error when the subscription still ends
 */
export async function withdrawCancellation(stripe: Stripe, id: string): Promise<void> {
  let subscription: Stripe.Subscription = await stripe.subscriptions.retrieve(id);
  if (!isPlanned(subscription)) return;
  subscription = await stripe.subscriptions.update(id, withdrawal(subscription));
  if (subscription.cancel_at_period_end) {
    subscription = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  }
  if (isPlanned(subscription)) throw new Error(`the cancellation of ${id} was not withdrawn`);
}

/**
 * Ends a subscription with its current period. A scheduled change of plan is dropped. Idempotent.
 * @returns the subscription after it
 * @throws Stripe's error; an error when the subscription still renews
 */
export async function cancelWithPeriod(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  let subscription: Stripe.Subscription = await stripe.subscriptions.retrieve(id);
  if (endsWithPeriod(subscription, periodEndOf(subscription))) return subscription;
  await releaseSchedule(stripe, subscription);
  subscription = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  if (!endsWithPeriod(subscription, periodEndOf(subscription))) throw new Error(`${id} still renews`);
  return subscription;
}

/**
 * Ends a subscription at once, without giving anything back. Idempotent.
 * @returns the subscription after it
 * @throws Stripe's error
 */
export async function cancelAtOnce(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  const subscription = await stripe.subscriptions.retrieve(id);
  if (hasEnded(subscription)) return subscription;
  await releaseSchedule(stripe, subscription);
  return stripe.subscriptions.cancel(id);
}

/** Whether a subscription has ended for good. */
export function hasEnded({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** When the current period of a subscription ends, in Unix seconds: the last of its items'. */
export function periodEndOf({ items }: Pick<Stripe.Subscription, 'items'>): number {
  return Math.max(...items.data.map((item) => item.current_period_end));
}

/** As long as a schedule is attached, Stripe refuses every change of the cancellation. */
async function releaseSchedule(
  stripe: Stripe,
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
): Promise<void> {
  if (schedule !== null) await stripe.subscriptionSchedules.release(idOf(schedule));
}

function isPlanned({ cancel_at: at, cancel_at_period_end: flag }: Planned): boolean {
  return flag || at !== null;
}

/** Names, in the metadata of a subscription, the upgrade with which its cancellation is withdrawn. */
const withdrawnWith = 'cancellation_withdrawn_with';

/** That upgrade, of this cancellation only: one that is planned later stays. */
function mark(
  { cancel_at: at, canceled_at: since }: Pick<Stripe.Subscription, 'cancel_at' | 'canceled_at'>,
  plan: PlanId,
): string {
  return `${plan}:${since ?? at}`;
}

/** Records that the planned cancellation is withdrawn once the seller has paid for an upgrade on a page of Stripe. */
export async function withdrawCancellationWith(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  plan: PlanId,
): Promise<void> {
  await stripe.subscriptions.update(subscription.id, {
    metadata: { [withdrawnWith]: mark(subscription, plan) },
  });
}

/** Whether the upgrade with which the planned cancellation is withdrawn has been paid. */
export function isWithdrawalDue(subscription: Stripe.Subscription, plan: PlanId): boolean {
  return isPlanned(subscription) && subscription.metadata[withdrawnWith] === mark(subscription, plan);
}

/** Closes the open pages of a customer: nothing can be paid on them any more. @throws Stripe's error, also while one is being paid */
export async function closeCheckout(stripe: Stripe, customer: string): Promise<void> {
  const open = await stripe.checkout.sessions
    .list({ customer, status: 'open', limit: 100 })
    .catch(nullIfMissing);
  for (const { id } of open?.data ?? []) await stripe.checkout.sessions.expire(id);
}
