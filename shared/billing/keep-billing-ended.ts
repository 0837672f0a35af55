import { liveStatuses } from '#contract';
import { reopenBillingOrder } from '#shared/data/profiles/billing-orders.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState } from './billing-state.ts';
import type { BillingContext } from './client.ts';

/**
 * Has the end of a disabled seller's billing carried out again, if Stripe has a subscription that goes on: one that was
 * bought or resumed on a page of Stripe that was open.
 */
export async function keepBillingEnded(
  { db }: Pick<BillingContext, 'db'>,
  { _id: sellerId, disabled_at: disabledAt, billing_order: order }: ProfileRow,
  { subscription }: BillingState,
): Promise<void> {
  if (!disabledAt || !order?.done_at || order.kind === 'renew') return;
  if (!subscription || !liveStatuses.includes(subscription.status)) return;
  if (order.kind === 'end-with-period' && subscription.cancelAtPeriodEnd) return;
  await reopenBillingOrder(db, sellerId, order.id);
}
