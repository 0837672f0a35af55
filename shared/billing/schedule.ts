import type Stripe from 'stripe';
import { idOf } from './catalogue.ts';

/**
 * The settings of a subscription that each phase of its schedule must repeat: Stripe replaces the phases as a whole, and
 * what one does not name is gone from the subscription when it begins. The payment method is not among them: a phase that
 * names one charges it even if it was replaced meanwhile.
 * @param current the phase that Stripe made from the subscription
 */
function keptSettings(
  subscription: Stripe.Subscription,
  current: Stripe.SubscriptionSchedule.Phase,
): Omit<Stripe.SubscriptionScheduleUpdateParams.Phase, 'items'> {
  const { automatic_tax: tax, default_tax_rates: rates } = subscription;
  const { discounts, metadata, description } = subscription;
  const { billing_thresholds: thresholds, invoice_settings: invoices } = current;
  return {
    metadata,
    automatic_tax: { enabled: tax.enabled },
    collection_method: subscription.collection_method,
    // The discount itself, not its coupon: that would begin again.
    ...(discounts.length > 0 && { discounts: discounts.map((each) => ({ discount: idOf(each) })) }),
    ...(rates && rates.length > 0 && { default_tax_rates: rates.map(idOf) }),
    ...(description && { description }),
    ...(thresholds?.amount_gte && { billing_thresholds: { amount_gte: thresholds.amount_gte } }),
    ...(invoices?.days_until_due && { invoice_settings: { days_until_due: invoices.days_until_due } }),
  };
}

/** A change of price at the end of the period. */
interface ScheduledPrice {
  price: string;
  /** End of the period, in Unix seconds. */
  at: number;
}

/**
 * Writes the phases of a schedule: the current one until the end of the period, and a month at another price. From then on
 * the customer's default method pays, which is made the one of the subscription: the portal replaces both, but no method
 * that a later phase names.
 * @param schedule of the subscription, with the phase that Stripe made from it
 * @throws Stripe's error
 */
export async function schedulePrice(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  schedule: Stripe.SubscriptionSchedule,
  { price, at }: ScheduledPrice,
): Promise<void> {
  const current = schedule.phases[0]!;
  const kept = keptSettings(subscription, current);
  const method = subscription.default_payment_method && idOf(subscription.default_payment_method);
  if (method !== null) {
    await stripe.customers.update(idOf(subscription.customer), {
      invoice_settings: { default_payment_method: method },
    });
  }
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        ...kept,
        ...(method !== null && { default_payment_method: method }),
        items: current.items.map((item) => ({ price: idOf(item.price), quantity: item.quantity ?? 1 })),
        ...(subscription.trial_end !== null && { trial_end: subscription.trial_end }),
        start_date: current.start_date,
        end_date: at,
      },
      { ...kept, items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
    ],
  });
}
