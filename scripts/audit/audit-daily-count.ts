import { countsInDay } from '#shared/credits/daily-limit.ts';
import type { Db } from '#shared/data/db.ts';
import { type CountedGeneration, listCountedSince } from '#shared/data/generations/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { dayOf } from '#shared/platform/days.ts';
import type { Finding } from './finding.ts';

/** A request that began on the day before may be counted in the next one, in ms. */
const longestRequestMs = 3_600_000;

/**
 * Compares the counters of the day with the generations (docs/credits.md, "The daily limit"). Only those of today and
 * yesterday: nothing asks for older ones.
 */
export async function auditDailyCounts(db: Db, profiles: readonly ProfileRow[]): Promise<Finding[]> {
  const yesterday = dayOf(new Date(Date.now() - 86_400_000));
  const counting = profiles.filter(({ images_today: today }) => today && today.day >= yesterday);
  if (counting.length === 0) return [];
  const since = new Date(Date.parse(yesterday) - longestRequestMs);
  const rows = await listCountedSince(
    db,
    counting.map(({ _id }) => _id),
    since,
  );
  const bySeller = Map.groupBy(rows, ({ profile }) => profile);
  return counting.flatMap((profile) => auditDailyCount(profile, bySeller.get(profile._id) ?? []));
}

function auditDailyCount(
  { _id: id, images_today: today, holds }: ProfileRow,
  rows: readonly CountedGeneration[],
): Finding[] {
  const held = new Set(holds.map(({ generation }) => generation));
  // One whose hold has not ended is counted, whatever became of it.
  const ended = rows.filter((row) => !held.has(row._id) && countsInDay(row));
  const counted = [...holds, ...ended].filter(({ counted_on: day }) => day === today!.day);
  const sum = counted.reduce((total, { count }) => total + count, 0);
  if (sum === today!.used) return [];
  return [{ id, problem: `${today!.used} images are counted on ${today!.day}, and there are ${sum}` }];
}
