import type Stripe from 'stripe';
import { type Agreement, type PlanId, plans } from '#contract';
import type { SubscriptionState } from '#shared/billing/billing-state.ts';
import { withdrawal, withdrawCancellation, withdrawCancellationWith } from '#shared/billing/cancellation.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { schedulePrice } from '#shared/billing/schedule.ts';
import { AppError } from '#shared/platform/errors.ts';
import { agreedProrationDate } from './agreement.ts';
import { assertBefore } from './deadline.ts';
import { type PaymentStep, paymentStepOf } from './payment-step.ts';

/**
 * Changes a running subscription to a plan. Idempotent: it may be repeated after a failure at any step.
 * @param deadline when nothing may be bought any more
 * @param agreed what the seller agreed to pay at once; nothing if it is absent
 * @returns what the seller does at Stripe before an upgrade can be paid; undefined once the plan is changed
 * @throws AppError AMOUNT_CHANGED or PAYMENT_PROCESSING; Stripe's error
 */
export async function changeSubscription(
  { billing }: BillingContext,
  subscription: SubscriptionState,
  plan: PlanId,
  deadline: Date,
  agreed?: Agreement,
): Promise<PaymentStep | undefined> {
  const { stripe } = billing;
  const { priceId } = (await billing.catalogue())[plan];
  const priceChange = plans[plan].monthlyPriceCents - plans[subscription.plan].monthlyPriceCents;
  const isScheduled = subscription.nextPlan?.plan === plan && !subscription.cancelAtPeriodEnd;
  if (priceChange < 0 && isScheduled) return undefined;
  const upgrade = priceChange > 0 ? await prepareUpgrade(stripe, subscription, priceId, agreed) : undefined;
  if (subscription.scheduleId !== null) await stripe.subscriptionSchedules.release(subscription.scheduleId);
  assertBefore(deadline);
  if (upgrade) {
    const step = await buyUpgrade(stripe, subscription, plan, upgrade);
    if (step) return step;
  }
  if (subscription.cancelAtPeriodEnd) await withdrawCancellation(stripe, subscription.id);
  if (priceChange < 0) await scheduleDowngrade(stripe, subscription, priceId);
  return undefined;
}

/** What an upgrade needs to know before anything is changed. */
interface PreparedUpgrade {
  before: Stripe.Subscription;
  price: string;
  /** As of when it is charged, in Unix seconds; undefined in a trial, in which nothing is. */
  prorationDate: number | undefined;
}

/** @throws AppError PAYMENT_PROCESSING; AMOUNT_CHANGED when more would be charged than the seller agreed to */
async function prepareUpgrade(
  stripe: Stripe,
  { id, itemId, status, periodStart, planSince }: SubscriptionState,
  price: string,
  agreed: Agreement | undefined,
): Promise<PreparedUpgrade> {
  const before = await stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice.payments.data.payment.payment_intent'],
  });
  assertNotProcessing(before);
  if (status === 'trialing') return { before, price, prorationDate: undefined };
  const since = Math.max(periodStart.getTime(), planSince.getTime()) / 1_000;
  const change = { subscription: before, item: itemId, price };
  return { before, price, prorationDate: await agreedProrationDate(stripe, change, since, agreed) };
}

/**
 * Changes the price now, charges the difference and withdraws a planned cancellation; nothing changes unless it is paid.
 */
async function buyUpgrade(
  stripe: Stripe,
  { id, itemId, cancelAtPeriodEnd }: SubscriptionState,
  plan: PlanId,
  { before, price, prorationDate }: PreparedUpgrade,
): Promise<PaymentStep | undefined> {
  await discardPendingUpdate(stripe, before);
  try {
    await stripe.subscriptions.update(id, {
      ...(cancelAtPeriodEnd ? withdrawal(before) : {}),
      items: [{ id: itemId, price }],
      ...(prorationDate === undefined
        ? { proration_behavior: 'none' }
        : { proration_behavior: 'always_invoice', proration_date: prorationDate }),
      payment_behavior: 'error_if_incomplete',
    });
    return undefined;
  } catch (error) {
    const step = paymentStepOf(error);
    if (!step) throw error;
    if (cancelAtPeriodEnd && step === 'confirm') await withdrawCancellationWith(stripe, before, plan);
    return step;
  }
}

/** @throws AppError PAYMENT_PROCESSING while money for an upgrade that was begun on a page of Stripe is on its way */
function assertNotProcessing({
  pending_update: pending,
  latest_invoice: invoice,
}: Stripe.Subscription): void {
  if (pending === null || invoice === null || typeof invoice === 'string') return;
  const isProcessing = invoice.payments?.data.some(({ payment: { payment_intent: intent } }) => {
    return typeof intent === 'object' && intent.status === 'processing';
  });
  if (isProcessing) throw new AppError('PAYMENT_PROCESSING');
}

/**
 * Discards an upgrade that the seller began on a page of Stripe and left without paying: its invoice is voided, so that
 * it cannot be paid as well as the next one.
 */
async function discardPendingUpdate(
  stripe: Stripe,
  { pending_update: pending, latest_invoice: invoice }: Stripe.Subscription,
): Promise<void> {
  if (pending === null || invoice === null || typeof invoice === 'string') return;
  if (invoice.status === 'open') await stripe.invoices.voidInvoice(invoice.id!);
}

/** Attaches a schedule that changes the price at the end of the period. */
async function scheduleDowngrade(
  stripe: Stripe,
  { id, periodEnd }: SubscriptionState,
  price: string,
): Promise<void> {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const subscription = await stripe.subscriptions.retrieve(id);
  await schedulePrice(stripe, subscription, schedule, { price, at: periodEnd.getTime() / 1_000 });
}
