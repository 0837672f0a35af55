import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { monthOf, placeRemakeHold } from '#shared/data/profiles/holds.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkDailyLimit, dayCountOf } from './daily-limit.ts';

/* Images that are made again at no charge (docs/credits.md, "Made again at no charge"). */

/**
 * Refuses early what {@link reserveRemake} would refuse.
 * @throws AppError REMAKE_LIMIT
 */
export function checkRemakes({ remakes }: Pick<ProfileRow, 'remakes'>, now: Date): void {
  const used = remakes.month !== null && remakes.month >= monthOf(now) ? remakes.used : 0;
  if (used >= limits.remakesAMonth) throw new AppError('REMAKE_LIMIT');
}

/**
 * Places the hold of an image that is made again at no charge, and counts it in this month and day. Idempotent: a generation that
 * has a hold keeps it.
 * @param seen the seller's profile as it was read before
 * @returns the profile with the hold
 * @throws AppError REMAKE_LIMIT, DAILY_LIMIT, or UNAUTHENTICATED when the account is gone or being deleted
 */
export async function reserveRemake(
  db: Db,
  seen: ProfileRow,
  { _id: generation, count }: Pick<GenerationRow, '_id' | 'count'>,
  dailyImages: DailyImages,
): Promise<ProfileRow> {
  let current: ProfileRow | null = seen;
  for (;;) {
    if (!current || current.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
    if (current.holds.some((hold) => hold.generation === generation)) return current;
    const at = new Date();
    checkRemakes(current, at);
    checkDailyLimit(current, count, dailyImages);
    const counted = dayCountOf(current, count, dailyImages);
    const held = await placeRemakeHold(
      db,
      seen._id,
      { generation, count, at },
      limits.remakesAMonth,
      counted,
    );
    if (held) return held;
    // The count changed after it was read. Try again.
    current = await findProfile(db, seen._id);
  }
}
