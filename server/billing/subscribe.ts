import { type Agreement, type CheckoutOrigin, liveStatuses, type PlanId } from '#contract';
import type { BillingContext } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { releaseBillingLease, takeBillingLease } from '#shared/data/profiles/billing.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeSubscription } from './change-subscription.ts';
import { checkoutUrl } from './checkout.ts';
import { paymentPageUrl } from './portal.ts';

/** The lease of a change of plan, in ms. It is released after the change; its end counts only after a crash. */
const leaseMs = 180_000;

/**
 * How late after the beginning of the lease something may still be bought, in ms: Stripe's slowest answer, with all
 * retries, arrives before the lease expires and somebody else may buy.
 */
const purchaseMs = 100_000;

/** The outcome of a change of plan: the address of a page to pay on, or the profile with the changed subscription. */
export type PlanChange = { url: string } | { profile: ProfileRow };

/**
 * Moves a seller to a plan, under a lease, so that two windows cannot buy two subscriptions.
 * - Without a subscription: the seller gets a Stripe page to pay on.
 * - A higher plan: at once, with the difference charged now, unless that is more than the seller agreed to. If it cannot be charged without the seller, the seller gets
 *   a Stripe page for that, and the plan stays as it is until the difference is paid there.
 * - A lower plan: when the period ends.
 * - The current plan: a planned cancellation or downgrade is withdrawn.
 * @param returnTo the page to which the seller comes back after paying
 * @param agreed what the seller agreed to pay at once; nothing if it is absent
 * @throws AppError PROFILE_NOT_FOUND, ACCOUNT_DISABLED, BILLING_BUSY, AMOUNT_CHANGED, PAYMENT_OVERDUE, PAYMENT_PROCESSING, CARD_DECLINED or SUBSCRIBE_FAILED
 */
export async function subscribe(
  context: BillingContext,
  sellerId: string,
  plan: PlanId,
  returnTo: CheckoutOrigin,
  agreed?: Agreement,
): Promise<PlanChange> {
  return underBillingLease(context, sellerId, (deadline) =>
    changePlan(context, sellerId, plan, returnTo, deadline, agreed),
  );
}

/**
 * Buys something under the lease of a seller's billing, so that two windows cannot buy twice.
 * @param buy gets the time after which nothing may be bought any more
 * @throws AppError PROFILE_NOT_FOUND, ACCOUNT_DISABLED, BILLING_BUSY, SUBSCRIBE_FAILED, or those of `buy`
 */
export async function underBillingLease<Result>(
  context: BillingContext,
  sellerId: string,
  buy: (deadline: Date) => Promise<Result>,
): Promise<Result> {
  const { db } = context;
  const deadline = new Date(Date.now() + purchaseMs);
  const leaseUntil = await takeBillingLease(db, sellerId, leaseMs);
  if (!leaseUntil) {
    const profile = await findProfile(db, sellerId);
    if (!profile) throw new AppError('PROFILE_NOT_FOUND');
    throw profile.disabled_at
      ? new AppError('ACCOUNT_DISABLED')
      : new AppError('BILLING_BUSY', { retryAfterSeconds: 2 });
  }
  try {
    return await buy(deadline);
  } catch (error) {
    throw toAppError(error);
  } finally {
    await releaseBillingLease(db, sellerId, leaseUntil);
  }
}

async function changePlan(
  context: BillingContext,
  sellerId: string,
  plan: PlanId,
  returnTo: CheckoutOrigin,
  deadline: Date,
  agreed: Agreement | undefined,
): Promise<PlanChange> {
  const customer = await customerOf(context, sellerId);
  const current = await syncBilling(context, sellerId);
  if (!current) throw new AppError('PROFILE_NOT_FOUND');
  const { subscription } = current.state;
  if (!subscription || !liveStatuses.includes(subscription.status)) {
    const { priceId } = (await context.billing.catalogue())[plan];
    return { url: await checkoutUrl(context, { sellerId, customer, item: { priceId }, returnTo, deadline }) };
  }
  if (subscription.status !== 'active' && subscription.status !== 'trialing') {
    throw new AppError('PAYMENT_OVERDUE');
  }
  const step = await changeSubscription(context, subscription, plan, deadline, agreed);
  if (step) {
    const url = await paymentPageUrl(context, { customer, subscription, plan, step, returnTo }).catch(
      (cause) => {
        throw new AppError('CARD_DECLINED', { cause });
      },
    );
    return { url };
  }
  const changed = await syncBilling(context, sellerId);
  if (!changed) throw new AppError('PROFILE_NOT_FOUND');
  return { profile: changed.profile };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('SUBSCRIBE_FAILED', { cause: error });
}
