import type { Db } from '#shared/data/db.ts';
import { generations } from './schema.ts';

/** Images that a seller used of one day and project. */
export interface UsageGroup {
  /** The day (UTC) on which they were asked for. */
  day: string;
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
    const day = at.toISOString().slice(0, 10);
    const key = `${day} ${project}`;
    const group = groups.get(key) ?? { day, project, images: 0 };
    groups.set(key, { ...group, images: group.images + count });
  }
  return [...groups.values()];
}
