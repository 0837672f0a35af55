import type { Db } from '#shared/data/db.ts';
import { type Day, dayOf } from '#shared/platform/days.ts';
import { generations } from './schema.ts';

/** Images that a seller used of one day and project. */
export interface UsageGroup {
  /** On which they were asked for. */
  day: Day;
  project: string;
  images: number;
}

/**
 * @returns the images that a seller used (`usesImage`) and asked for between two moments, the second one not included; those that
 * were deleted since are counted as well
 */
export async function usageOf(
  db: Db,
  sellerId: string,
  { from, before }: { from: Date; before: Date },
): Promise<UsageGroup[]> {
  const rows = generations(db)
    .find({
      profile: sellerId,
      created_at: { $gte: from, $lt: before },
      remake_of: null,
      $or: [{ state: 'succeeded' }, { state: 'cancelled', charged: true }],
    })
    .select({ _id: 0, created_at: 1, project: 1, count: 1 })
    .lean()
    .cursor();
  const groups = new Map<string, UsageGroup>();
  for await (const { created_at: at, project = sellerId, count } of rows) {
    const day = dayOf(at);
    const key = `${day} ${project}`;
    const group = groups.get(key) ?? { day, project, images: 0 };
    groups.set(key, { ...group, images: group.images + count });
  }
  return [...groups.values()];
}
