import { plans, type SubscriptionView } from '#contract';
import { dailyLimitOf, leftToday } from '#shared/credits/daily-limit.ts';
import {
  availableFreeImages,
  availableImages,
  availablePackImages,
  heldImages,
  mayGenerate,
} from '#shared/credits/holds.ts';
import { packImagesOf } from '#shared/credits/pack-images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { nextDay } from '#shared/platform/days.ts';

/**
 * What a seller sees of plan, balance and billing, the same over HTTP and over the socket.
 * @param dailyImages the daily limits of the installation
 */
export function presentSubscription(profile: ProfileRow, dailyImages: DailyImages): SubscriptionView {
  const { subscription_plan: plan, subscription_status: status, subscription_data: details } = profile;
  const monthly = plans[plan].monthlyGenerations;
  const freeLeft = availableFreeImages(profile);
  const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;
  return {
    plan,
    status,
    isActive: status === 'active',
    canGenerate: mayGenerate(profile, new Date()),
    isCancelled: status === 'canceled' || details?.cancel_at_period_end === true,
    unlimited: monthly === null,
    generationsLeft: monthly === null ? null : Math.max(0, availableImages(profile)),
    generationsHeld: heldImages(profile),
    freeImages: {
      granted: profile.free_images.granted + profile.support.added,
      left: freeLeft,
      held: profile.free_images.left - freeLeft,
      due: profile.free_images.due,
    },
    ...packImages(profile),
    totalGenerations: monthly,
    ...dailyLimit(profile, dailyImages),
    currentPeriodEnd: iso(details?.current_period_end),
    cancelAtPeriodEnd: details?.cancel_at_period_end ?? false,
    paymentMethod: details?.payment_method ?? null,
    last4: details?.last4 ?? null,
    cardBrand: details?.card_brand ?? null,
    isTrial: details?.is_trial ?? false,
    trialEnd: iso(details?.trial_end),
    nextPlan: details?.next_plan
      ? { plan: details.next_plan.plan, at: details.next_plan.at.toISOString() }
      : null,
    graceUntil: iso(profile.grace_until),
    hasBilling: profile.stripe_customer_id !== null,
    revision: profile.revision,
  };
}

/** The images of packs, unless there never were any. */
function packImages(profile: ProfileRow): Pick<SubscriptionView, 'packImages'> {
  const { bought, left, arriving } = packImagesOf(profile);
  if (bought + arriving === 0) return {};
  const available = availablePackImages(profile);
  return { packImages: { bought, left: available, held: left - available, arriving } };
}

/** The daily limit, unless there is none. */
function dailyLimit(profile: ProfileRow, dailyImages: DailyImages): Pick<SubscriptionView, 'dailyLimit'> {
  const now = new Date();
  const images = dailyLimitOf(profile, dailyImages, now);
  const left = leftToday(profile, dailyImages, now);
  if (images === null || left === null) return {};
  return { dailyLimit: { images, left, renewsAt: nextDay(now).toISOString() } };
}
