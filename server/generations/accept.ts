import type { GenerationView } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { releaseHold } from '#shared/credits/end-hold.ts';
import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { removeReceiving } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { touchProject } from '#shared/data/projects.ts';
import { findLane, type QueueLaneRow } from '#shared/data/queue-lanes.ts';
import { announce } from '#shared/generations/announce.ts';
import { generationView } from '#shared/generations/generation-view.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { completeSet, enqueueTake } from '#shared/generations/sets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { addJob } from '#shared/platform/queue.ts';
import { inTime } from '#shared/watch/in-time.ts';
import type { Rows } from './receive.ts';

/** What a request needs before its generations can be enqueued. Both run at once. */
export interface Preparation {
  /** Stores the photos, and other files. */
  photos(): Promise<GenerationRow['photos']>;
  /** Places the holds of all generations, or none. @returns the profile with them */
  holds(): Promise<ProfileRow>;
}

/** A generation of an accepted request: its row, queued or further, and what its seller sees of it. */
export interface Accepted {
  row: GenerationRow;
  view: GenerationView;
}

/**
 * Accepts a request whose rows are in `receiving`: prepares it, enqueues its generations and adds their jobs. That the
 * first row moves to `queued` decides that the request is accepted; whatever fails after that, the others follow.
 * @throws the error of the preparation, AppError or StorageError; then neither row nor hold nor file is left
 */
export async function accept(
  context: ServerContext,
  rows: Rows,
  preparation: Preparation,
): Promise<Accepted[]> {
  try {
    // Waits for all even if one fails: the cleanup below must not overlap with any.
    const [photos, profile, lane] = await Promise.allSettled([
      preparation.photos(),
      preparation.holds(),
      findLane(context.db, 'single'),
    ]);
    if (photos.status === 'rejected') throw photos.reason;
    if (profile.status === 'rejected') throw profile.reason;
    if (lane.status === 'rejected') throw lane.reason;
    return await enqueue(context, rows, photos.value, profile.value, lane.value);
  } catch (error) {
    return cleanUp(context, rows, error);
  }
}

/** Moves generations to `queued`, adds their jobs and tells the seller. @param profile with their holds; lane as it was meanwhile */
async function enqueue(
  context: ServerContext,
  [first, ...others]: Rows,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
  lane: QueueLaneRow | null,
): Promise<Accepted[]> {
  const { db, log } = context;
  const enqueuing = enqueueTake(db, first, photos, profile, lane);
  // At the same time, so that the database stores both together.
  touchProject(db, first.profile, first.project ?? first.profile).catch((error) =>
    log.warn({ err: error }, 'a project was not moved to the front'),
  );
  const accepted = await enqueuing;
  // The reconciler removed it, because this request took too long.
  if (!accepted) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  const rows = [accepted];
  for (const row of others) {
    const queued = (await enqueueTake(db, row, photos, profile, lane)) ?? (await findInAnyState(db, row._id));
    if (queued) rows.push(queued);
  }
  return publish(context, rows, profile);
}

/**
 * The generations of a request that was accepted before. Enqueues those that a crash, or a request that is still under
 * way, has left in `receiving`.
 * @param first its first generation
 * @returns those that the seller has not deleted
 * @throws AppError GENERATION_DELETED when there are none
 */
export async function complete(context: ServerContext, first: GenerationRow): Promise<Accepted[]> {
  const { db } = context;
  const { rows, enqueued, profile } = await completeSet(db, first);
  await publish(context, enqueued, profile);
  const left = rows.filter(({ deletion }) => !deletion);
  if (left.length === 0) throw new AppError('GENERATION_DELETED');
  return withViews(db, left);
}

/**
 * Removes what a failed request left: rows, holds and files, the first row before all else. If it was accepted
 * nevertheless, because only MongoDB's answer was lost, it is completed.
 * @returns the generations of the accepted request
 * @throws the error, when it was not accepted
 */
async function cleanUp(context: ServerContext, rows: Rows, error: unknown): Promise<Accepted[]> {
  const { db, storage } = context;
  const [first, ...others] = rows;
  const accepted = (await removeReceiving(db, first._id)) ? null : await findInAnyState(db, first._id);
  if (accepted) {
    await publish(context, [accepted], null);
    return complete(context, accepted);
  }
  for (const { _id } of others) await removeReceiving(db, _id);
  let profile: ProfileRow | null = null;
  for (const row of rows) profile = (await releaseHold(db, row)) ?? profile;
  await announce(context, first.profile, { profile });
  for (const { _id } of rows) await storage.removeGeneration(_id);
  await removeUnusedPhotoSet(context, first.photo_set);
  throw error;
}

/**
 * Adds the jobs of queued generations, and tells the seller without making the request wait.
 * @param profile null when its balance is not known
 */
async function publish(
  context: ServerContext,
  rows: readonly GenerationRow[],
  profile: ProfileRow | null,
): Promise<Accepted[]> {
  const adding = Promise.all(rows.map((row) => addJobInTime(context, row)));
  // Read at the same time: a worker that has the job reads, too, and both would wait for each other.
  const accepted = await withViews(context.db, rows);
  await adding;
  // With its view, an event needs nothing that could be waited for.
  for (const { row, view } of accepted)
    await announce(context, row.profile, { generation: row, view, profile });
  return accepted;
}

const withViews = (db: Db, rows: readonly GenerationRow[]): Promise<Accepted[]> =>
  Promise.all(rows.map(async (row) => ({ row, view: await generationView(db, row) })));

/** How long a request waits for the queue to take its job, in ms; the answer does not depend on it. */
const addJobMs = 3_000;

/** Adds the job of a queued generation. If that fails or takes too long, the reconciler adds it. */
async function addJobInTime({ queue, log }: ServerContext, row: GenerationRow): Promise<void> {
  const adding = addJob(queue, row).catch((error) =>
    log.error({ err: error, generation: row._id }, 'job not added; the reconciler will'),
  );
  await inTime(adding, addJobMs).catch(() =>
    log.error({ generation: row._id }, 'the queue does not answer; the reconciler adds the job'),
  );
}
