import type { UpdateQuery } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import type { Day } from '#shared/platform/days.ts';
import { type ProfileRow, profiles } from './schema.ts';

/*
 * The counter of a seller's images of a day (docs/credits.md, "The daily limit"). It changes in the same update as a hold, so
 * counting costs no statement.
 */

/** Images that a request adds to the count of a day. */
export interface DayCount {
  /** The profile as it was read. */
  seen: Pick<ProfileRow, 'images_today' | 'daily_limit'>;
  day: Day;
  count: number;
  /** How many there may be in the day; null for any number. */
  most: number | null;
}

/** The parts of an update that count images: it matches only while the limit is what was read, and is not passed. */
export function countInDay({ seen, day, count, most }: DayCount): {
  filter: Record<string, unknown>;
  $set: Record<string, unknown>;
  $inc: Record<string, number>;
} {
  const sameDay = seen.images_today?.day === day;
  return {
    filter: {
      'images_today.day': seen.images_today?.day ?? null,
      'daily_limit.set_at': seen.daily_limit?.set_at ?? null,
      ...(sameDay && most !== null && { 'images_today.used': { $lte: most - count } }),
    },
    $set: sameDay ? {} : { images_today: { day, used: count } },
    $inc: sameDay ? { 'images_today.used': count } : {},
  };
}

/**
 * Gives a seller a daily limit of their own, or that of the installation again.
 * @param images null for no limit; undefined for the limit of the installation
 * @returns the profile after it; null when there is none
 */
export function setDailyLimit(
  db: Db,
  sellerId: string,
  images: number | null | undefined,
): Promise<ProfileRow | null> {
  const update: UpdateQuery<ProfileRow> =
    images === undefined
      ? { $unset: { daily_limit: 1 } }
      : { $set: { daily_limit: { images, set_at: new Date() } } };
  return profiles(db)
    .findOneAndUpdate({ _id: sellerId }, { ...update, $inc: { revision: 1 } }, { returnDocument: 'after' })
    .lean();
}
