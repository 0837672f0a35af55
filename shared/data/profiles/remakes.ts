import type { Db } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from './schema.ts';

/** The calendar month (UTC) of a moment, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/**
 * Places the hold of an image that is made again at no charge, and counts it in its month. One compare-and-set.
 * @param most how many there may be in a month
 * @returns the profile with the hold; null when there are as many already, or the generation has a hold
 */
export async function placeRemakeHold(
  db: Db,
  sellerId: string,
  { generation, count, at }: { generation: string; count: number; at: Date },
  most: number,
): Promise<ProfileRow | null> {
  const month = monthOf(at);
  const hold = { generation, count, balance: 'remake', lapsed: false, at } as const;
  const own = { _id: sellerId, deletion_asked_at: null, 'holds.generation': { $ne: generation } };
  const sameMonth = await profiles(db)
    .findOneAndUpdate(
      // Not only equal: the clock of another server may be ahead.
      { ...own, 'remakes.month': { $gte: month }, 'remakes.used': { $lte: most - count } },
      { $push: { holds: hold }, $inc: { 'remakes.used': count, revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
  if (sameMonth) return sameMonth;
  return profiles(db)
    .findOneAndUpdate(
      { ...own, $or: [{ 'remakes.month': null }, { 'remakes.month': { $lt: month } }] },
      {
        $push: { holds: hold },
        $set: { 'remakes.month': month, 'remakes.used': count },
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}
