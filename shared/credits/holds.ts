import { generatingStatuses, neverPaidStatuses, planIds, plans } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { type BalanceChange, endHold, findHold } from '#shared/data/profiles/holds.ts';
import { monthOf } from '#shared/data/profiles/remakes.ts';
import type { Hold, HoldBalance, ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { postPendingEntries } from './ledger.ts';

/*
 * The rules on credits: who may generate, how many images can be reserved, and what the end of a hold does to the
 * balance (docs/credits.md). Holds are placed by reserve.ts, images are added by shared/billing/paid-images.ts.
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
export function availableWelcomeImages(profile: Pick<ProfileRow, 'welcome' | 'holds'>): number {
  return profile.welcome.left - heldOn('welcome', profile);
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
    ? Math.max(0, fairUse - fairUseOf(profile))
    : Math.max(0, availableImages(profile));
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
  const available = availableOnPlan(profile, fairUse) + availableWelcomeImages(profile);
  if (available >= count) return;
  if (available === 0) throw refusalByPlan(profile);
  const images = available === 1 ? '1 image' : `${available} images`;
  throw new AppError('NO_CREDITS', {
    message: `You asked for ${count} images and have ${images} left. Please choose fewer.`,
  });
}

/** Why the plan allows no image. */
function refusalByPlan(profile: ProfileRow): AppError {
  if (!mayGenerate(profile, new Date())) {
    if (profile.subscription_status === 'past_due') return new AppError('PAYMENT_OVERDUE');
    return profile.period_refunded ? new AppError('PAYMENT_RETURNED') : noSubscription(profile);
  }
  return isUnlimited(profile) ? new AppError('FAIR_USE') : noCredits(profile);
}

/** To a seller who never paid, the message says what became of the free images. */
function noSubscription({ subscription_status: status, welcome }: ProfileRow): AppError {
  if (welcome.granted === 0 || !neverPaidStatuses.includes(status)) return new AppError('NO_SUBSCRIPTION');
  const images = welcome.granted === 1 ? 'free image' : `${welcome.granted} free images`;
  const message =
    welcome.left === 0
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

/** What the end of a hold does to the balance. @param used whether its images are used */
function balanceChange(
  { generation, count, balance, lapsed }: Omit<Hold, 'at'>,
  used: boolean,
): BalanceChange {
  if (!used) {
    if (balance !== 'metered' || !lapsed) return { counters: {} };
    // Everything else that was left of its period was forfeited at the renewal, so these images are too.
    return {
      counters: { generations_left: -count, forfeited: count },
      forfeit: { key: generation, count, period: null, at: new Date(), posted: false },
    };
  }
  if (balance === 'metered') return { counters: { generations_left: -count, settled: count } };
  if (balance === 'welcome') return { counters: { 'welcome.left': -count, settled: count } };
  // Without a monthly number an image is granted when it is used, so `granted` stays the sum of the other
  // counters.
  const fairUse = lapsed ? 0 : count;
  return {
    counters: { granted: count, settled: count, settled_unlimited: count, 'fair_use.used': fairUse },
  };
}

/**
 * Ends the hold of a generation that has ended. Idempotent.
 * @param used whether the generation uses its images
 * @returns the profile after it, or null when there was no hold
 */
export async function settleHold(
  db: Db,
  generation: Pick<GenerationRow, '_id' | 'profile' | 'count' | 'held_on'>,
  used: boolean,
): Promise<ProfileRow | null> {
  const { _id: id, profile: sellerId, count, held_on: balance } = generation;
  // Nearly every hold looks like this, which saves reading it first.
  if (balance && balance !== 'remake') {
    const hold = { generation: id, count, balance, lapsed: false };
    const profile = await endHold(db, sellerId, hold, balanceChange(hold, used));
    if (profile) return profile;
  }
  return endStoredHold(db, generation, used);
}

/**
 * Ends the hold of a generation without using its images: it failed, was cancelled for free, or was never enqueued.
 * Idempotent.
 * @returns the profile after it, or null when there was no hold
 */
export function releaseHold(
  db: Db,
  generation: Pick<GenerationRow, '_id' | 'profile'>,
): Promise<ProfileRow | null> {
  return endStoredHold(db, generation, false);
}

async function endStoredHold(
  db: Db,
  { _id: id, profile: sellerId }: Pick<GenerationRow, '_id' | 'profile'>,
  used: boolean,
): Promise<ProfileRow | null> {
  for (;;) {
    const hold = await findHold(db, sellerId, id);
    if (!hold) return null;
    const profile =
      hold.balance === 'remake'
        ? await endRemakeHold(db, sellerId, hold, used)
        : await endHold(db, sellerId, hold, balanceChange(hold, used));
    // Null: a renewal marked the hold as lapsed after it was read.
    if (!profile) continue;
    if (hold.lapsed) await postPendingEntries(db, sellerId);
    return profile;
  }
}

/** Ends the hold of an image that is made again at no charge. If it was not made, it no longer counts in its month. */
async function endRemakeHold(
  db: Db,
  sellerId: string,
  hold: Hold,
  used: boolean,
): Promise<ProfileRow | null> {
  const { count, at } = hold;
  if (used) return endHold(db, sellerId, hold, { counters: { 'remakes.made': count } });
  const change = { counters: { 'remakes.used': -count }, remakesMonth: monthOf(at) };
  // Null: another month is counted by now.
  return (await endHold(db, sellerId, hold, change)) ?? endHold(db, sellerId, hold, { counters: {} });
}
