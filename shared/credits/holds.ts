import { generatingStatuses, neverPaidStatuses, planIds, plans } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Hold, HoldBalance, ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { owedPack, packImagesOf } from './pack-images.ts';

/*
 * The rules on credits: who may generate, and how many images can be reserved (docs/credits.md). Holds are placed by
 * reserve.ts and ended by end-hold.ts, images are added by shared/billing/paid-images.ts.
 */

export const meteredPlans = planIds.filter((id) => plans[id].monthlyGenerations !== null);
export const unlimitedPlans = planIds.filter((id) => plans[id].monthlyGenerations === null);

/** Images on hold that come from one balance. */
function heldOn(balance: HoldBalance, { holds }: Pick<ProfileRow, 'holds'>): number {
  return sum(holds.filter((hold) => hold.balance === balance));
}

const sum = (holds: readonly Hold[]) => holds.reduce((total, hold) => total + hold.count, 0);

/** Images that can still be requested under a metered plan: those left minus those on hold. */
export function availableImages(profile: Pick<ProfileRow, 'generations_left' | 'holds'>): number {
  return profile.generations_left - heldOn('metered', profile);
}

/** Free images that can still be requested: those left minus those on hold. */
export function availableFreeImages(profile: Pick<ProfileRow, 'free_images' | 'holds'>): number {
  return profile.free_images.left - heldOn('free', profile);
}

/** Images of packs that can still be requested: those left minus those on hold. */
export function availablePackImages(profile: Pick<ProfileRow, 'pack_images' | 'holds'>): number {
  return packImagesOf(profile).left - heldOn('pack', profile);
}

/** Images on hold, without those that are made again at no charge: they are no images of the seller's. */
export function heldImages({ holds }: Pick<ProfileRow, 'holds'>): number {
  return sum(holds.filter(({ balance }) => balance !== 'remake'));
}

/** Images used or on hold in this period under a plan without a monthly number. */
function fairUseOf(profile: Pick<ProfileRow, 'fair_use' | 'holds'>): number {
  const current = profile.holds.filter(({ balance, lapsed }) => balance === 'unlimited' && !lapsed);
  return profile.fair_use.used + sum(current);
}

/** Whether the subscription allows generating: paid for, and active, trialing, or overdue within the grace period. */
export function mayGenerate(
  profile: Pick<ProfileRow, 'subscription_status' | 'grace_until' | 'period_refunded'>,
  now: Date,
): boolean {
  const { subscription_status: status, grace_until: graceUntil, period_refunded: refunded } = profile;
  if (refunded) return false;
  return (
    generatingStatuses.includes(status) || (status === 'past_due' && graceUntil !== null && graceUntil > now)
  );
}

const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Images that the plan still allows now, beside those on hold. */
export function availableOnPlan(profile: ProfileRow, fairUse: number): number {
  if (!mayGenerate(profile, new Date())) return 0;
  return isUnlimited(profile)
    ? Math.max(0, fairUseInPeriod(profile, fairUse) - fairUseOf(profile))
    : Math.max(0, availableImages(profile));
}

/** Images of all kinds that can still be requested now: of the plan, free ones and those of packs. */
export function availableInAll(profile: ProfileRow, fairUse: number): number {
  return availableOnPlan(profile, fairUse) + availableFreeImages(profile) + availablePackImages(profile);
}

/**
 * Images that a plan without a monthly number may use in the current period: after an upgrade, the part of the month's that
 * the rest of the period is of it.
 * @param fairUse for a whole period
 */
export function fairUseInPeriod(
  { subscription_data: details }: Pick<ProfileRow, 'subscription_data'>,
  fairUse: number,
): number {
  if (!details?.plan_since) return fairUse;
  const { plan_since: since, current_period_start: start, current_period_end: end } = details;
  const part = (end.getTime() - since.getTime()) / (end.getTime() - start.getTime());
  return Math.ceil(fairUse * Math.min(1, part));
}

/**
 * Whether an image that waits may begin to be made now. Asked whenever one begins, however it was requested: the plan or the
 * account may have changed since it was put on hold (docs/credits.md, "When an image begins").
 * @param hold its own, or that of its batch
 */
export function mayBegin(profile: ProfileRow, { balance, lapsed }: Hold, now: Date): boolean {
  if (profile.deletion_asked_at || profile.disabled_at) return false;
  if (balance === 'free') return true;
  // While images of a returned payment are on hold, none begins.
  if (balance === 'pack') return owedPack(profile) === undefined;
  // Made again at no charge: it was paid for with the image that it replaces.
  if (balance === 'remake') return !profile.period_refunded;
  if (!mayGenerate(profile, now)) return false;
  if (balance === 'unlimited') return isUnlimited(profile);
  return lapsed || !profile.returned_grant;
}

/** Whether the plan has no monthly number. */
export const isUnlimited = ({ subscription_plan: plan }: ProfileRow) =>
  plans[plan].monthlyGenerations === null;

/**
 * Refuses early what `reserveImages` would refuse, before anything is uploaded or stored. The holds themselves are
 * what decides.
 * @param fairUse images that a plan without a monthly number may use in a period
 * @throws AppError NO_SUBSCRIPTION, PAYMENT_OVERDUE, PAYMENT_RETURNED, NO_CREDITS or FAIR_USE
 */
export function checkCanGenerate(profile: ProfileRow, count: number, fairUse: number): void {
  const available = availableInAll(profile, fairUse);
  if (available >= count) return;
  if (available === 0) throw refusalByPlan(profile);
  const images = available === 1 ? '1 image' : `${available} images`;
  throw new AppError('NO_CREDITS', {
    message: `You asked for ${count} images and have ${images} left. Please choose fewer.`,
  });
}

/** Why the plan allows no image. */
export function refusalByPlan(profile: ProfileRow): AppError {
  if (!mayGenerate(profile, new Date())) {
    if (profile.subscription_status === 'past_due') return new AppError('PAYMENT_OVERDUE');
    return profile.period_refunded ? new AppError('PAYMENT_RETURNED') : noSubscription(profile);
  }
  return isUnlimited(profile) ? new AppError('FAIR_USE') : noCredits(profile);
}

/** To a seller who never paid, the message says what became of the free images. */
function noSubscription({ subscription_status: status, free_images: free }: ProfileRow): AppError {
  if (free.granted === 0 || !neverPaidStatuses.includes(status)) return new AppError('NO_SUBSCRIPTION');
  const images = free.granted === 1 ? 'free image' : `${free.granted} free images`;
  const message =
    free.left === 0
      ? `You've used your ${images}. Choose a plan to create more.`
      : 'The last of your free images are being created. Choose a plan to create more.';
  return new AppError('NO_SUBSCRIPTION', { message });
}

/** The message names the date of the renewal, unless there will be none. */
function noCredits({ subscription_data: details }: ProfileRow): AppError {
  if (!details || details.cancel_at_period_end) return new AppError('NO_CREDITS');
  const renewal = longDate.format(details.current_period_end);
  return new AppError('NO_CREDITS', {
    message: `You have no images left. Upgrade your plan or wait for its renewal on ${renewal}.`,
  });
}

/** Whether a generation uses what its hold reserves: it succeeded, or was stopped while a preview was visible. */
export function usesHold({ state, charged }: Pick<GenerationRow, 'state' | 'charged'>): boolean {
  return state === 'succeeded' || (state === 'cancelled' && charged === true);
}

/** Whether a generation uses an image of the plan or a free one: one that was made again at no charge does not. */
export function usesImage(row: Pick<GenerationRow, 'state' | 'charged' | 'remake_of'>): boolean {
  return usesHold(row) && row.remake_of === undefined;
}
