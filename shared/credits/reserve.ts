import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type NewHold, placeHolds } from '#shared/data/profiles/holds.ts';
import type { Hold, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkDailyLimit, dayCountOf } from './daily-limit.ts';
import {
  availableFreeImages,
  availableOnPlan,
  checkCanGenerate,
  fairUseInPeriod,
  isUnlimited,
  meteredPlans,
  unlimitedPlans,
} from './holds.ts';

/** A generation that needs a hold. */
type HeldGeneration = Pick<GenerationRow, '_id' | 'count'>;

/**
 * Reserves the images of a request by placing a hold for each of its generations: all at once, or none. Idempotent:
 * generations that have holds keep them.
 * @param seen the seller's profile as it was read before
 * @param fairUse images that a plan without a monthly number may use in a period
 * @param dailyImages the limits of a day; null if the images neither count in their day nor are stopped by its limit
 * @returns the profile with the holds
 * @throws AppError as {@link checkCanGenerate} and {@link checkDailyLimit}, or UNAUTHENTICATED when the account is gone or being deleted
 */
export function reserveImages(
  db: Db,
  seen: ProfileRow,
  generations: readonly HeldGeneration[],
  { fairUse, dailyImages }: { fairUse: number; dailyImages: DailyImages | null },
): Promise<ProfileRow> {
  const ids = generations.map(({ _id }) => _id);
  const count = generations.reduce((total, generation) => total + generation.count, 0);
  return reserve(
    db,
    seen,
    { count, fairUse, dailyImages, isHeld: ({ generation }) => ids.includes(generation) },
    (plan) => {
      let onPlan = plan.available;
      let onFree = plan.free;
      return generations.map(({ _id: generation, count }) => {
        onPlan -= count;
        if (onPlan >= 0) return { generation, count, balance: plan.balance };
        onFree -= count;
        return { generation, count, balance: onFree >= 0 ? 'free' : 'pack' };
      });
    },
  );
}

/** What is to be reserved. */
interface Reservation {
  count: number;
  fairUse: number;
  /** The limits of a day; null if its images are not counted now. */
  dailyImages: DailyImages | null;
  /** Whether a hold is one of this reservation, which was made before. */
  isHeld(hold: Hold): boolean;
}

/** What may be reserved: images that the plan allows, with the balance of their holds, and free images. The rest is of packs. */
export interface PlanBalance {
  available: number;
  balance: 'metered' | 'unlimited';
  free: number;
}

/** What the plan allows now. @param fairUse images that a plan without a monthly number may use in a period */
export function balanceOfPlan(profile: ProfileRow, fairUse: number): PlanBalance {
  return {
    available: availableOnPlan(profile, fairUse),
    balance: isUnlimited(profile) ? 'unlimited' : 'metered',
    free: Math.max(0, availableFreeImages(profile)),
  };
}

/**
 * Places the holds of a reservation, all at once or none, unless it has them.
 * @param distribute the holds: the plan's images first, then free ones, and those that were paid for last
 * @returns the profile with the holds
 * @throws as {@link reserveImages}
 */
export async function reserve(
  db: Db,
  seen: ProfileRow,
  { count, fairUse, dailyImages, isHeld }: Reservation,
  distribute: (plan: PlanBalance) => NewHold[],
): Promise<ProfileRow> {
  let current: ProfileRow | null = seen;
  for (;;) {
    if (!current || current.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
    if (current.holds.some(isHeld)) return current;
    checkCanGenerate(current, count, fairUse);
    if (dailyImages) checkDailyLimit(current, count, dailyImages);
    const counted = dailyImages && dayCountOf(current, count, dailyImages);
    const plan = balanceOfPlan(current, fairUse);
    const rules = { meteredPlans, unlimitedPlans, fairUse: fairUseInPeriod(current, fairUse) };
    const holds = distribute(plan).map((hold) => (counted ? { ...hold, counted_on: counted.day } : hold));
    const held = await placeHolds(db, seen._id, holds, rules, counted);
    if (held) return held;
    // The plan, the balance or the day changed after it was read. Try again.
    current = await findProfile(db, seen._id);
  }
}
