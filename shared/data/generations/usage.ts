import type { Db } from '#shared/data/db.ts';
import { type Day, dayOf } from '#shared/platform/days.ts';
import { type GenerationRow, generations } from './schema.ts';

/** Images that a seller used of one day, project and API key. */
export interface UsageGroup {
  /** On which they were asked for. */
  day: Day;
  project: string;
  /** The key that asked for them; null for those that the seller asked for in the studio. */
  key: GenerationRow['api_key'] | null;
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
    .select({ _id: 0, created_at: 1, project: 1, api_key: 1, count: 1 })
    .lean()
    .cursor();
  const groups = new Map<string, UsageGroup>();
  for await (const { created_at: at, project = sellerId, api_key: apiKey = null, count } of rows) {
    const day = dayOf(at);
    const name = `${day} ${project} ${apiKey?.id}`;
    const group = groups.get(name) ?? { day, project, key: apiKey, images: 0 };
    groups.set(name, { ...group, images: group.images + count });
  }
  return [...groups.values()];
}
