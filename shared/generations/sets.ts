import { plans } from '#contract';
import { mayGenerate } from '#shared/credits/holds.ts';
import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { enqueueGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findTakes } from '#shared/data/generations/sets.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { currentRound, findLane, type QueueLaneRow } from '#shared/data/queue-lanes.ts';
import { type Lane, queuePriority } from '#shared/platform/priorities.ts';

/* A set: the generations of one request, its takes (docs/generations.md, "Sets"). */

/**
 * Moves a generation from `receiving` to `queued`.
 * @param profile with its hold
 * @param lane how far its lane of the queue has come
 * @returns the row after it; null when it is no longer in `receiving`
 */
export function enqueueTake(
  db: Db,
  row: GenerationRow,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
  lane: QueueLaneRow | null,
): Promise<GenerationRow | null> {
  const { size, index } = row.set;
  const hold = profile.holds.find(({ generation }) => generation === row._id);
  // A plan that was only chosen, or has ended, gives no priority; nor do free images.
  const byPlan = hold?.balance === 'remake' ? mayGenerate(profile, new Date()) : hold?.balance !== 'free';
  const plan = byPlan ? profile.subscription_plan : null;
  const band = plan && plans[plan].goesFirst ? 'first' : 'standard';
  // Images of batches and others do not wait for each other's turns.
  const held = profile.holds.filter(
    ({ batch, waiting }) => (batch !== undefined) === isOfBatch(row) && !waiting,
  );
  const inProgress = Math.max(0, held.length - size + index);
  const priority = queuePriority(laneOfRow(row), band, currentRound(lane, band), inProgress);
  return enqueueGeneration(db, row._id, { photos, priority, ...(hold && { held_on: hold.balance }) });
}

const isOfBatch = ({ batch }: Pick<GenerationRow, 'batch'>) => batch !== undefined;

/** The lane of the queue of a generation that is not enqueued yet. */
export function laneOfRow(row: Pick<GenerationRow, 'batch'>): Lane {
  return isOfBatch(row) ? 'batch' : 'single';
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
  const { id, size } = first.set;
  if (size === 1) return { rows: [first], enqueued: [], profile: null };
  const takes = await findTakes(db, [id]);
  if (takes.every(isAccepted)) return { rows: takes, enqueued: [], profile: null };
  const photos = takes.find((take) => take.photos.length > 0)?.photos;
  const profile = await findProfile(db, first.profile);
  // Gone when the seller has deleted the finished takes, or the account.
  if (!photos || !profile) return { rows: takes.filter(isAccepted), enqueued: [], profile: null };
  const lane = await findLane(db, laneOfRow(first));
  const completed: CompletedSet = { rows: [], enqueued: [], profile };
  for (const take of takes) {
    const enqueued =
      take.state === 'receiving' ? await enqueueTake(db, take, photos, profile, lane) : undefined;
    // Null: another process was faster.
    const row = enqueued === null ? await findInAnyState(db, take._id) : (enqueued ?? take);
    if (enqueued) completed.enqueued.push(enqueued);
    if (row) completed.rows.push(row);
  }
  return completed;
}
