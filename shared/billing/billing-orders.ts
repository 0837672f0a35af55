import type Stripe from 'stripe';
import { type BillingOrderKind, liveStatuses, plans, unpaidStatuses } from '#contract';
import { releaseBillingLease, takeBillingLease } from '#shared/data/profiles/billing.ts';
import {
  type BillingOrder,
  beginBillingOrder,
  endBillingOrder,
  failBillingOrder,
} from '#shared/data/profiles/billing-orders.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { BillingState } from './billing-state.ts';
import {
  cancelAtOnce,
  cancelWithPeriod,
  closeCheckout,
  hasEnded,
  periodEndOf,
  withdrawCancellation,
} from './cancellation.ts';
import { type BillingContext, nullIfMissing } from './client.ts';
import { customersOf, isPeriodPaid } from './customer.ts';
import { syncBilling } from './sync.ts';

/** The lease of an order, in ms: as for a change of plan. */
const leaseMs = 180_000;

/**
 * Carries out what an operator decided about a seller's billing: tells Stripe, reads it again, and tells the seller.
 * Idempotent; may run any number of times, in any process.
 * @returns false if there was nothing to do, or the plan is being changed: then upkeep tries again
 * @throws Stripe's error, which is recorded with the order; upkeep tries again
 */
export async function carryOutBillingOrder(context: BillingContext, sellerId: string): Promise<boolean> {
  const { db } = context;
  const leaseUntil = await takeBillingLease(db, sellerId, leaseMs, { disabled: true });
  if (!leaseUntil) return false;
  try {
    const before = await beginBillingOrder(db, sellerId);
    if (!before?.billing_order) return false;
    const { billing_order: order } = before;
    try {
      const endsAt = await changeAtStripe(context, before, order);
      const current = await syncBilling(context, sellerId);
      if (current) await tellSeller(context, current, order, endsAt);
      return await endBillingOrder(db, sellerId, order.id, endsAt);
    } catch (error) {
      await failBillingOrder(db, sellerId, order.id, (error as Error).message);
      throw error;
    }
  } finally {
    await releaseBillingLease(db, sellerId, leaseUntil);
  }
}

/** @returns when billing ends or has ended; null if it goes on, or there was nothing to end */
async function changeAtStripe(
  { billing: { stripe } }: BillingContext,
  profile: ProfileRow,
  { kind, subscription }: BillingOrder,
): Promise<Date | null> {
  const ends: number[] = [];
  for (const customer of customersOf(profile)) {
    if ((await stripe.customers.retrieve(customer).catch(nullIfMissing)) === null) {
      if (!isPeriodPaid(profile)) continue;
      throw new Error(`Stripe does not know ${customer}: the key may be of another account`);
    }
    // Before the subscriptions: a page that is paid meanwhile makes one that is found below.
    if (kind !== 'renew') await closeCheckout(stripe, customer);
    for (const each of (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data) {
      const end = await changeOne(stripe, each, kind);
      if (end !== null && (!hasEnded(each) || each.id === subscription)) ends.push(end);
    }
  }
  return ends.length === 0 ? null : new Date(Math.max(...ends) * 1_000);
}

/** @returns when it ends or has ended, in Unix seconds; null if it goes on */
async function changeOne(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  kind: BillingOrderKind,
): Promise<number | null> {
  const { id } = subscription;
  if (kind === 'renew') {
    if (!hasEnded(subscription)) await withdrawCancellation(stripe, id);
    return null;
  }
  const after = await end(stripe, subscription, kind);
  await voidOpenInvoices(stripe, id);
  return hasEnded(after) ? after.ended_at : (after.cancel_at ?? periodEndOf(after));
}

/** A period that is not paid is not waited for: Stripe would go on trying to charge it. */
function end(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  kind: Exclude<BillingOrderKind, 'renew'>,
): Promise<Stripe.Subscription> {
  const isUnpaid = unpaidStatuses.some((status) => status === subscription.status);
  if (kind === 'end-now' || isUnpaid || hasEnded(subscription)) return cancelAtOnce(stripe, subscription.id);
  return cancelWithPeriod(stripe, subscription.id);
}

/** What is due and not paid can otherwise be paid on Stripe's page of the invoice. */
async function voidOpenInvoices(stripe: Stripe, subscription: string): Promise<void> {
  const open = await stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  for (const { id } of open.data) await stripe.invoices.voidInvoice(id!);
}

/** Tells the seller by mail, once for each order. */
async function tellSeller(
  { db, relay, config }: BillingContext,
  { profile, state: { subscription } }: { profile: ProfileRow; state: BillingState },
  { id, kind }: BillingOrder,
  endsAt: Date | null,
): Promise<void> {
  const { email, full_name: fullName, disabled_at: disabledAt, deletion_asked_at: deleted } = profile;
  if (deleted) return;
  if (kind === 'renew') {
    if (!subscription || !liveStatuses.includes(subscription.status)) return;
    const data = {
      fullName,
      planName: plans[subscription.plan].name,
      renewsAt: subscription.periodEnd,
      signInLink: config.linkUrl,
    };
    await enqueueMail(db, relay, 'accountEnabled', email, data, { id: `account-enabled-${id}` });
  } else if (disabledAt && endsAt) {
    const planName = plans[profile.subscription_plan].name;
    const data = { fullName, planName, endsAt, ended: endsAt <= new Date() };
    await enqueueMail(db, relay, 'accountDisabled', email, data, { id: `account-disabled-${id}` });
  }
}
