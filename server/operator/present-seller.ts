import type { OperatorPlan, OperatorSeller, OperatorSellerView, OperatorStripePlan } from '#contract';
import { presentUser } from '#server/accounts/present.ts';
import type { BillingState, SubscriptionState } from '#shared/billing/billing-state.ts';
import { countedToday, dailyLimitOf } from '#shared/credits/daily-limit.ts';
import { availableFreeImages, availableImages, heldImages } from '#shared/credits/holds.ts';
import { packImagesOf } from '#shared/credits/pack-images.ts';
import type { UnpaidCallsToday } from '#shared/credits/unpaid-calls.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { presentSubscription } from '#shared/views/subscription.ts';

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

/** A seller in the operator's list. */
export function presentOperatorSeller(profile: ProfileRow): OperatorSeller {
  const {
    _id: id,
    email,
    full_name: fullName,
    subscription_plan: plan,
    subscription_status: status,
  } = profile;
  return { id, email, fullName, plan, status, disabled: profile.disabled_at !== undefined };
}

/** A seller as operators see them. */
export function presentOperatorSellerView(
  profile: ProfileRow,
  unpaidCalls: UnpaidCallsToday,
  twoFactorRemovalDueAt: Date | null,
  dailyImages: DailyImages,
): OperatorSellerView {
  return {
    user: presentUser(profile),
    subscription: presentSubscription(profile, dailyImages),
    emailVerified: profile.email_verified,
    lastSignIn: iso(profile.last_login),
    disabledAt: iso(profile.disabled_at),
    twoFactorRemovalDueAt: iso(twoFactorRemovalDueAt),
    deletionAskedAt: iso(profile.deletion_asked_at),
    deletionDueAt: iso(profile.deletion_planned?.due_at),
    balance: {
      granted: profile.granted,
      left: profile.generations_left,
      freeLeft: profile.free_images.left,
      packLeft: packImagesOf(profile).left,
      used: profile.settled,
      expired: profile.forfeited,
      refunded: profile.refunded,
      added: profile.support.added,
      removed: profile.support.removed,
      held: heldImages(profile),
      available: Math.max(0, availableImages(profile)) + availableFreeImages(profile),
    },
    unpaidCalls,
    today: {
      images: countedToday(profile),
      limit: dailyLimitOf(profile, dailyImages),
      ownSince: iso(profile.daily_limit?.set_at),
    },
    plan: planHere(profile),
    planReadAt: iso(profile.billing_seen_at),
    billingOrder: presentBillingOrder(profile.billing_order),
    customerId: profile.stripe_customer_id,
  };
}

function presentBillingOrder(order: ProfileRow['billing_order']): OperatorSellerView['billingOrder'] {
  if (!order) return null;
  const { kind, asked_at: askedAt, done_at: doneAt, failure: problem, ends_at: endsAt } = order;
  return { kind, askedAt: askedAt.toISOString(), pending: doneAt === null, problem, endsAt: iso(endsAt) };
}

function planHere(profile: ProfileRow): OperatorPlan {
  const { subscription_plan: plan, subscription_status: status, subscription_data: details } = profile;
  return {
    plan,
    status,
    subscriptionId: profile.subscription_id,
    periodStart: iso(details?.current_period_start),
    periodEnd: iso(details?.current_period_end),
    cancelAtPeriodEnd: details?.cancel_at_period_end ?? false,
    nextPlan: details?.next_plan?.plan ?? null,
  };
}

/** What Stripe says about a seller's plan. @param state null for a seller without a customer */
export function presentStripePlan(state: BillingState | null): OperatorStripePlan {
  if (!state) return { customer: 'none', plan: null, invoicesPaid: 0 };
  const { customer, subscription, paid } = state;
  return { customer, plan: subscription && planAtStripe(subscription), invoicesPaid: paid.length };
}

function planAtStripe(subscription: SubscriptionState): OperatorPlan {
  const { id, plan, status, periodStart, periodEnd, cancelAtPeriodEnd, nextPlan } = subscription;
  return {
    plan,
    status,
    subscriptionId: id,
    periodStart: periodStart.toISOString(),
    periodEnd: periodEnd.toISOString(),
    cancelAtPeriodEnd,
    nextPlan: nextPlan?.plan ?? null,
  };
}
