import Stripe from 'stripe';
import { liveStatuses, type PlanId, pages, plans } from '#contract';
import type { SubscriptionState } from '#shared/billing/billing-state.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/** How long a change of a plan has the seller to itself, in ms; it ends sooner by itself, this is for a process that dies in it. */
const busyMs = 180_000;

/**
 * How late in it something may still be bought, in ms: Stripe's slowest answer, with every retry, comes within the rest.
 * After that somebody else may be buying.
 */
const latestMs = 100_000;

/**
 * Brings a seller onto a plan. Without a subscription: a page of Stripe's to pay on. With one: a higher plan at once,
 * the difference charged now; a lower one when the period ends; the current one takes back what would have ended it.
 * One change at a time for a seller, so that two windows cannot buy two subscriptions.
 * @throws Refusal BILLING_BUSY, PAYMENT_OVERDUE, CARD_DECLINED or SUBSCRIBE_FAILED
 */
export async function subscribe(
  context: BillingContext,
  sellerId: string,
  plan: PlanId,
): Promise<{ url: string } | { profile: ProfileRow }> {
  const { db } = context;
  const now = new Date();
  const until = new Date(now.getTime() + busyMs);
  const taken = await db.profiles.updateOne(
    {
      _id: sellerId,
      deletion_asked_at: null,
      $or: [{ billing_lease_until: null }, { billing_lease_until: { $lt: now } }],
    },
    { $set: { billing_lease_until: until } },
  );
  if (taken.modifiedCount === 0) throw new AppError('BILLING_BUSY', { retryAfterSeconds: 2 });
  try {
    return await changePlan(context, sellerId, plan, now.getTime() + latestMs);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await db.profiles.updateOne(
      { _id: sellerId, billing_lease_until: until },
      { $set: { billing_lease_until: null } },
    );
  }
}

async function changePlan(
  context: BillingContext,
  sellerId: string,
  plan: PlanId,
  latest: number,
): Promise<{ url: string } | { profile: ProfileRow }> {
  const customer = await customerOf(context, sellerId);
  const now = await syncBilling(context, sellerId);
  if (!now) throw new AppError('UNAUTHENTICATED');
  const { subscription } = now.state;
  if (!subscription || !liveStatuses.includes(subscription.status)) {
    return { url: await checkoutUrl(context, sellerId, customer, plan, latest) };
  }
  if (subscription.status !== 'active' && subscription.status !== 'trialing') {
    throw new AppError('PAYMENT_OVERDUE');
  }
  await change(context, subscription, plan, latest);
  const after = await syncBilling(context, sellerId);
  if (!after) throw new AppError('UNAUTHENTICATED');
  return { profile: after.profile };
}

/** A page to pay on; an open one for the same plan is taken up again, for another one it is closed first. */
async function checkoutUrl(
  { billing, config }: BillingContext,
  sellerId: string,
  customer: string,
  plan: PlanId,
  latest: number,
): Promise<string> {
  const { stripe } = billing;
  const { sessions } = stripe.checkout;
  const { priceId } = (await billing.catalogue())[plan];
  const open = await sessions.list({ customer, status: 'open', limit: 100 });
  for (const session of open.data) {
    if (session.metadata?.price === priceId && session.url) return session.url;
    await sessions.expire(session.id);
  }
  expectInTime(latest);
  const session = await sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: sellerId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata: { profile: sellerId, price: priceId },
    subscription_data: { metadata: { profile: sellerId } },
    success_url: `${config.linkUrl}${pages.profile}?checkout=success`,
    cancel_url: `${config.linkUrl}${pages.profile}?checkout=cancelled`,
  });
  if (!session.url) throw new Error(`checkout session ${session.id} has no page`);
  return session.url;
}

/** Each step may be replayed: what is so already is not done again. */
async function change(
  { billing }: BillingContext,
  subscription: SubscriptionState,
  plan: PlanId,
  latest: number,
): Promise<void> {
  const { stripe } = billing;
  const { priceId } = (await billing.catalogue())[plan];
  const raises = plans[plan].monthlyPriceCents > plans[subscription.plan].monthlyPriceCents;
  const lowers = plans[plan].monthlyPriceCents < plans[subscription.plan].monthlyPriceCents;
  if (lowers && subscription.nextPlan?.plan === plan && !subscription.cancelAtPeriodEnd) return;
  if (subscription.scheduleId !== null) await stripe.subscriptionSchedules.release(subscription.scheduleId);
  if (subscription.cancelAtPeriodEnd) {
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  }
  expectInTime(latest);
  if (raises) {
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.itemId, price: priceId }],
      proration_behavior: 'always_invoice',
      // Nothing changes unless the difference is paid.
      payment_behavior: 'error_if_incomplete',
    });
  }
  if (lowers) {
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const current = schedule.phases[0]!;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: current.items.map(({ price, quantity }) => ({
            price: typeof price === 'string' ? price : price.id,
            quantity: quantity ?? 1,
          })),
          start_date: current.start_date,
          end_date: Math.floor(subscription.periodEnd.getTime() / 1_000),
        },
        { items: [{ price: priceId, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
  }
}

/** A page of Stripe's for cards, invoices and the end of the plan. @throws Refusal NO_BILLING or PORTAL_FAILED */
export async function portalUrl(context: BillingContext, sellerId: string): Promise<string> {
  const { db, billing, config } = context;
  const profile = await db.profiles.findById(sellerId).lean();
  if (!profile?.stripe_customer_id) throw new AppError('NO_BILLING');
  try {
    const customer = await customerOf(context, sellerId);
    const configurations = await billing.stripe.billingPortal.configurations.list({
      active: true,
      limit: 100,
    });
    const ours = configurations.data.find(({ metadata }) => metadata?.packshot === 'portal');
    const session = await billing.stripe.billingPortal.sessions.create({
      customer,
      return_url: `${config.linkUrl}${pages.profile}?portal=return`,
      ...(ours && { configuration: ours.id }),
    });
    return session.url;
  } catch (cause) {
    throw new AppError('PORTAL_FAILED', { cause });
  }
}

/** @throws when it is too late to buy anything */
function expectInTime(latest: number): void {
  if (Date.now() > latest)
    throw new Error('Stripe was too slow: somebody else may be changing the plan by now');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof AppError) return error;
  // Also a card that wants its owner's consent, which only Stripe's own page can ask for.
  if (error instanceof Stripe.errors.StripeCardError) return new AppError('CARD_DECLINED', { cause: error });
  return new AppError('SUBSCRIBE_FAILED', { cause: error });
}
