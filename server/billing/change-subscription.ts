import type Stripe from 'stripe';
import { type PlanId, plans } from '#contract';
import type { SubscriptionState } from '#shared/billing/billing-state.ts';
import { withdrawal, withdrawCancellation } from '#shared/billing/cancellation.ts';
import { idOf } from '#shared/billing/catalogue.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { assertBefore } from './deadline.ts';

/**
 * Changes a running subscription to a plan. Idempotent: it may be repeated after a failure at any step.
 * @param deadline when nothing may be bought any more
 */
export async function changeSubscription(
  { billing }: BillingContext,
  subscription: SubscriptionState,
  plan: PlanId,
  deadline: Date,
): Promise<void> {
  const { stripe } = billing;
  const { priceId } = (await billing.catalogue())[plan];
  const priceChange = plans[plan].monthlyPriceCents - plans[subscription.plan].monthlyPriceCents;
  const isScheduled = subscription.nextPlan?.plan === plan && !subscription.cancelAtPeriodEnd;
  if (priceChange < 0 && isScheduled) return;
  if (subscription.scheduleId !== null) await stripe.subscriptionSchedules.release(subscription.scheduleId);
  assertBefore(deadline);
  if (priceChange > 0) await upgrade(stripe, subscription, priceId);
  if (subscription.cancelAtPeriodEnd) await withdrawCancellation(stripe, subscription.id);
  if (priceChange < 0) await scheduleDowngrade(stripe, subscription, priceId);
}

/**
 * Changes the price now, charges the difference and withdraws a planned cancellation; nothing changes unless it is paid.
 */
async function upgrade(
  stripe: Stripe,
  { id, itemId, cancelAtPeriodEnd }: SubscriptionState,
  price: string,
): Promise<void> {
  const cancellation = cancelAtPeriodEnd ? withdrawal(await stripe.subscriptions.retrieve(id)) : {};
  await stripe.subscriptions.update(id, {
    ...cancellation,
    items: [{ id: itemId, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  });
}

/** Attaches a schedule that changes the price at the end of the period. */
async function scheduleDowngrade(
  stripe: Stripe,
  { id, periodEnd }: SubscriptionState,
  price: string,
): Promise<void> {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const current = schedule.phases[0]!;
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: current.items.map((item) => ({ price: idOf(item.price), quantity: item.quantity ?? 1 })),
        start_date: current.start_date,
        end_date: Math.floor(periodEnd.getTime() / 1_000),
      },
      { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
    ],
  });
}
