import type Stripe from 'stripe';
import { liveStatuses, type PlanChangePreview, type PlanId, plans, type SubscriptionStatus } from '#contract';
import { withdrawal } from '#shared/billing/cancellation.ts';
import { idOf, planOfProduct } from '#shared/billing/catalogue.ts';
import type { Billing, BillingContext } from '#shared/billing/client.ts';
import { customersOf } from '#shared/billing/customer.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The seller waits for these answers: a preview that takes longer is not shown. */
const patience = { timeout: 8_000, maxNetworkRetries: 1 } as const satisfies Stripe.RequestOptions;

/** The change of one subscription to another price. */
export interface PriceChange {
  subscription: Stripe.Subscription;
  /** The item whose price changes. */
  item: string;
  price: string;
}

type DueNow = NonNullable<PlanChangePreview['dueNow']>;

/** What an upgrade charges at once. */
export interface UpgradeCharge {
  dueNow: DueNow;
  /** The time that it was computed for, in Unix seconds of Stripe's clock. */
  prorationDate: number;
  currency: string;
  /** The customer's balance afterwards: negative for credit. */
  balanceAfter: number;
}

/**
 * What a change to a plan costs now and next, as Stripe computes it. Nothing is changed.
 * @throws AppError PROFILE_NOT_FOUND, NO_SUBSCRIPTION, PAYMENT_OVERDUE; Stripe's error when it does not answer
 */
export async function previewPlanChange(
  context: BillingContext,
  sellerId: string,
  planId: PlanId,
): Promise<PlanChangePreview> {
  const { billing } = context;
  const { stripe } = billing;
  const { subscription, item } = await findLivePlan(context, sellerId);
  const { status } = subscription;
  if (status !== 'active' && status !== 'trialing') throw new AppError('PAYMENT_OVERDUE');
  const { priceId: price } = (await billing.catalogue())[planId];
  const change = { subscription, item: item.id, price };
  const current = planOfProduct(idOf(item.price.product))!;
  const isCharged = status === 'active' && plans[planId].monthlyPriceCents > plans[current].monthlyPriceCents;
  const charge = isCharged ? await previewCharge(stripe, change) : undefined;
  // With a schedule, the next price would be that of its next phase, which the change discards.
  const next =
    subscription.schedule === null
      ? await previewNext(stripe, change, item.current_period_end, charge)
      : null;
  return {
    planId,
    currency: charge?.currency ?? subscription.currency,
    dueNow: charge?.dueNow ?? null,
    next,
  };
}

/** A live subscription, and the item that is its plan. */
interface LivePlan {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
}

/**
 * The seller's plan at Stripe. The profile may not name it yet: the event of its checkout can arrive after the seller has come
 * back and asks for another plan.
 */
async function findLivePlan(context: BillingContext, sellerId: string): Promise<LivePlan> {
  const profile = await findProfile(context.db, sellerId);
  if (!profile) throw new AppError('PROFILE_NOT_FOUND');
  const known = await readLivePlan(context.billing, profile);
  if (known) return known;
  const synced = customersOf(profile).length > 0 ? await syncBilling(context, sellerId) : null;
  const current = synced && (await readLivePlan(context.billing, synced.profile));
  if (!current) throw new AppError('NO_SUBSCRIPTION');
  return current;
}

/** @returns null if the profile names no subscription, or one that is not live */
async function readLivePlan(
  { stripe }: Billing,
  { subscription_id: id }: Pick<ProfileRow, 'subscription_id'>,
): Promise<LivePlan | null> {
  if (id === null) return null;
  const expand = ['discounts.source.coupon'];
  const subscription = await stripe.subscriptions.retrieve(id, { expand }, patience);
  const item = subscription.items.data.find(({ price }) => planOfProduct(idOf(price.product)));
  const isLive = liveStatuses.includes(subscription.status as SubscriptionStatus);
  return item && isLive ? { subscription, item } : null;
}

/**
 * What an upgrade charges at once.
 * @param prorationDate the time to compute it for, in Unix seconds; now by Stripe's clock by default
 * @throws Stripe's error; an error when the answer is not only about the upgrade, or the tax is not known
 */
export async function previewCharge(
  stripe: Stripe,
  { subscription, item, price }: PriceChange,
  prorationDate?: number,
): Promise<UpgradeCharge> {
  const invoice = await preview(stripe, {
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item, price }],
      proration_behavior: 'always_invoice',
      ...(prorationDate !== undefined && { proration_date: prorationDate }),
    },
  });
  const at = prorationDate ?? invoice.parent?.subscription_details?.subscription_proration_date;
  const { data: lines } = invoice.lines;
  const isUpgradeOnly = lines.every(({ parent }) => parent?.subscription_item_details?.proration !== false);
  if (at === undefined || lines.length === 0 || !isUpgradeOnly || invoice.lines.has_more) {
    throw new Error(`the preview of an upgrade of ${subscription.id} is not that of an upgrade`);
  }
  const sum = (sign: 1 | -1) => lines.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0);
  const { amount_due: amount, total, starting_balance: balance } = invoice;
  return {
    dueNow: {
      amount,
      remaining: sum(1),
      unused: sum(-1),
      discount: (invoice.total_discount_amounts ?? []).reduce((all, each) => all + each.amount, 0),
      ...taxOf(invoice),
      balance: amount - total,
      prorationDate: new Date(at * 1_000).toISOString(),
    },
    prorationDate: at,
    currency: invoice.currency,
    balanceAfter: balance + total - amount,
  };
}

/** The renewal after a change, without what the charge for the change uses up. @param at in Unix seconds */
async function previewNext(
  stripe: Stripe,
  { subscription, item, price }: PriceChange,
  at: number,
  charge: UpgradeCharge | undefined,
): Promise<PlanChangePreview['next']> {
  const lasting = subscription.discounts.filter((discount) => {
    const coupon = typeof discount === 'string' ? null : discount.source.coupon;
    return typeof coupon === 'string' || coupon?.duration !== 'once';
  });
  const isOneUsed = charge !== undefined && lasting.length < subscription.discounts.length;
  const invoice = await preview(stripe, {
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item, price }],
      proration_behavior: 'none',
      ...resumed(subscription),
    },
    ...(isOneUsed && {
      discounts: lasting.length === 0 ? '' : lasting.map((each) => ({ discount: idOf(each) })),
    }),
  });
  const balance = charge?.balanceAfter ?? invoice.starting_balance;
  return {
    amount: Math.max(0, invoice.total + balance),
    ...taxOf(invoice),
    at: new Date(at * 1_000).toISOString(),
  };
}

/** A plan that is to end has no next payment, unless it is resumed. */
function resumed(
  subscription: Stripe.Subscription,
): Pick<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, 'cancel_at' | 'cancel_at_period_end'> {
  const { cancel_at, cancel_at_period_end } = withdrawal(subscription);
  return {
    ...(cancel_at === '' && { cancel_at }),
    ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
  };
}

async function preview(stripe: Stripe, params: Stripe.InvoiceCreatePreviewParams): Promise<Stripe.Invoice> {
  const invoice = await stripe.invoices.createPreview(params, patience);
  const { enabled, status } = invoice.automatic_tax;
  if (enabled && status !== 'complete') {
    throw new Error(`the tax of ${idOf(params.subscription!)} is not known: ${status}`);
  }
  return invoice;
}

/** The tax of an invoice, and whether it is part of the prices. */
function taxOf({ total_taxes: taxes }: Stripe.Invoice): Pick<DueNow, 'tax' | 'taxIncluded'> {
  return {
    tax: (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    taxIncluded: taxes?.[0]?.tax_behavior === 'inclusive',
  };
}
