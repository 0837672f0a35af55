import { mayGenerate } from '#shared/credits/holds.ts';
import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { enqueueGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findTakes } from '#shared/data/generations/sets.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { batchPriority, queuePriority } from '#shared/platform/queue.ts';

/* A set: the generations of one request, its takes (docs/generations.md, "Sets"). */

/** The set of a generation. One from before sets is a set of its own. */
export function setOf({ _id, set }: Pick<GenerationRow, '_id' | 'set'>): NonNullable<GenerationRow['set']> {
  return set ?? { id: _id, index: 0, size: 1 };
}

/**
 * Moves a generation from `receiving` to `queued`.
 * @param profile with its hold
 * @returns the row after it; null when it is no longer in `receiving`
 */
export function enqueueTake(
  db: Db,
  row: GenerationRow,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
): Promise<GenerationRow | null> {
  const { size, index } = setOf(row);
  const hold = profile.holds.find(({ generation }) => generation === row._id);
  // A plan that was only chosen, or has ended, gives no priority.
  const byPlan = hold?.balance === 'remake' ? mayGenerate(profile, new Date()) : hold?.balance !== 'welcome';
  const plan = byPlan ? profile.subscription_plan : null;
  // Images of batches go last, so they hold up none of the seller's other images.
  const others = profile.holds.filter(({ batch }) => batch === undefined).length;
  const priority = row.batch ? batchPriority(plan) : queuePriority(plan, Math.max(0, others - size + index));
  return enqueueGeneration(db, row._id, { photos, priority });
}

const isAccepted = ({ state }: GenerationRow) => state !== 'receiving';

/** The takes of a set, by their index, and those of them that were enqueued just now. */
export interface CompletedSet {
  rows: GenerationRow[];
  enqueued: GenerationRow[];
  /** The seller's profile; null when nothing was enqueued. */
  profile: ProfileRow | null;
}

/**
 * Enqueues the takes of an accepted set that are still in `receiving`, because the process that accepted it died or has
 * not reached them yet. Idempotent.
 * @param first its first generation, no longer in `receiving`
 */
export async function completeSet(db: Db, first: GenerationRow): Promise<CompletedSet> {
  const { id, size } = setOf(first);
  if (size === 1) return { rows: [first], enqueued: [], profile: null };
  const takes = await findTakes(db, [id]);
  if (takes.every(isAccepted)) return { rows: takes, enqueued: [], profile: null };
  const photos = takes.find((take) => take.photos.length > 0)?.photos;
  const profile = await findProfile(db, first.profile);
  // Gone when the seller has deleted the finished takes, or the account.
  if (!photos || !profile) return { rows: takes.filter(isAccepted), enqueued: [], profile: null };
  const completed: CompletedSet = { rows: [], enqueued: [], profile };
  for (const take of takes) {
    const enqueued = take.state === 'receiving' ? await enqueueTake(db, take, photos, profile) : undefined;
    // Null: another process was faster.
    const row = enqueued === null ? await findInAnyState(db, take._id) : (enqueued ?? take);
    if (enqueued) completed.enqueued.push(enqueued);
    if (row) completed.rows.push(row);
  }
  return completed;
}
