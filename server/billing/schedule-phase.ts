import type Stripe from 'stripe';
import { idOf } from '#shared/billing/catalogue.ts';

/**
 * The settings of a subscription that each phase of its schedule must repeat: Stripe replaces the phases as a whole, and
 * what one does not name is gone from the subscription when it begins.
 * @param current the phase that Stripe made from the subscription
 */
export function keptSettings(
  subscription: Stripe.Subscription,
  current: Stripe.SubscriptionSchedule.Phase,
): Omit<Stripe.SubscriptionScheduleUpdateParams.Phase, 'items'> {
  const { default_payment_method: method, automatic_tax: tax, default_tax_rates: rates } = subscription;
  const { discounts, metadata, description } = subscription;
  const { billing_thresholds: thresholds, invoice_settings: invoices } = current;
  return {
    metadata,
    automatic_tax: { enabled: tax.enabled },
    collection_method: subscription.collection_method,
    ...(method !== null && { default_payment_method: idOf(method) }),
    // The discount itself, not its coupon: that would begin again.
    ...(discounts.length > 0 && { discounts: discounts.map((each) => ({ discount: idOf(each) })) }),
    ...(rates && rates.length > 0 && { default_tax_rates: rates.map(idOf) }),
    ...(description && { description }),
    ...(thresholds?.amount_gte && { billing_thresholds: { amount_gte: thresholds.amount_gte } }),
    ...(invoices?.days_until_due && { invoice_settings: { days_until_due: invoices.days_until_due } }),
  };
}
