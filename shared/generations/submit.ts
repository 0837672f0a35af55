import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationView, plans } from '#contract';
import { ContinuedElsewhere, NoBatchHold, returnBatchHold } from '#shared/credits/batch-holds.ts';
import { releaseHold } from '#shared/credits/end-hold.ts';
import { mayGenerate } from '#shared/credits/holds.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { knownSettings } from '#shared/data/accounts/user-settings.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import {
  enqueueGeneration,
  findByIdempotencyKey,
  findTakes,
  insertGeneration,
  removeReceiving,
  setRemadeBy,
} from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { BannerRow } from '#shared/data/operator/banners.ts';
import { findActiveProfile, findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { touchProjectLater } from '#shared/data/projects.ts';
import {
  currentRound,
  findBannerAndLane,
  findLane,
  type QueueLaneRow,
} from '#shared/data/queue/queue-lanes.ts';
import { AppError } from '#shared/platform/errors.ts';
import { inTime } from '#shared/platform/in-time.ts';
import type { Log } from '#shared/platform/log.ts';
import { type Lane, queuePriority } from '#shared/platform/priorities.ts';
import { addJob, type GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { annotateSpan, traceToStore } from '#shared/platform/trace.ts';
import { announce } from '#shared/views/announce.ts';
import { presentBanner } from '#shared/views/banner.ts';
import { generationView } from '#shared/views/generation.ts';
import { recentAdmission } from './admission.ts';
import { removeWithFiles } from './remove-files.ts';
import {
  checkRequest,
  type ImageRequest,
  identityOf,
  type KnownRequest,
  newRows,
  placeHolds,
  type RequestContext,
  type Rows,
  storeFiles,
} from './request.ts';

/*
 * From a request to jobs in the queue, for all five ways to an image (docs/generations.md). The row is inserted before its
 * files and its hold (docs/decisions/0003-insert-the-row-before-placing-the-hold.md), so that upkeep finds by it whatever a
 * crash leaves.
 */

/** What submitting needs of the contexts of server and worker. */
export interface SubmitContext extends RequestContext {
  relay: EventRelay;
  queue: GenerationQueue;
  log: Log;
}

/** A generation of an accepted request: its row, queued or further, and what its seller sees of it. */
export interface Accepted {
  row: GenerationRow;
  view: GenerationView;
}

/** The generations of a request, by their index, and whether an earlier request under its key made them. */
export interface Submitted {
  accepted: Accepted[];
  repeated: boolean;
}

/**
 * Submits a request: inserts a row for each of its takes, stores files and places holds at the same time, enqueues the
 * generations and adds their jobs. Idempotent: a repeated request gets the generations of the first one under its key.
 * @throws AppError of `checkRequest`, `storeFiles` and `placeHolds`, IDEMPOTENCY_MISMATCH, GENERATION_DELETED or
 *   UNAVAILABLE; StorageError; NoBatchHold. Then neither row nor hold nor file is left
 */
export async function submit(context: SubmitContext, request: ImageRequest): Promise<Submitted> {
  const { rows, profile, lane } = await insertRows(context, request);
  if (!profile) return repeat(context, request, rows[0]);

  // Waits for all even if one fails: what is removed then must not overlap with any.
  const [photos, held] = await Promise.allSettled([
    storeFiles(context, request, rows),
    placeHolds(context, request, rows, profile),
  ]);
  try {
    if (photos.status === 'rejected') throw photos.reason;
    if (held.status === 'rejected') throw held.reason;
    const queued = await enqueueRows(context, rows, photos.value, held.value, lane);
    const accepted = await publish(context, queued, held.value);
    await recordRemake(context, queued[0]!);
    return { accepted, repeated: false };
  } catch (error) {
    if (error instanceof ContinuedElsewhere) return repeat(context, request, rows[0]);
    // Several processes may continue an image of a batch: what this one could not do, another one or the next round does.
    if (request.kind === 'batch' && !(error instanceof AppError || error instanceof NoBatchHold)) throw error;
    const first = await takeBack(context, rows);
    if (!first) throw error;
    // It was accepted nevertheless: only the answer of MongoDB was lost.
    await publish(context, [first], null);
    return repeat(context, request, first);
  }
}

/**
 * Answers a repeated request before what it names is read: its photos may be gone from where they were, its image in the trash.
 * @returns null when no earlier request has its key
 * @throws AppError IDEMPOTENCY_MISMATCH, GENERATION_DELETED, or UNAVAILABLE when the first request takes too long
 */
export async function findRepeated(context: SubmitContext, request: KnownRequest): Promise<Submitted | null> {
  const first = await findFirstUnderKey(context.db, request);
  return first && repeat(context, request, first);
}

/** @throws AppError MAINTENANCE while operators have closed Packshot: what is under way ends, batches wait */
function checkOpen(banner: BannerRow | null, now: Date): void {
  const until = presentBanner(banner, now)?.closedUntil;
  if (!until) return;
  throw new AppError('MAINTENANCE', {
    message: `Packshot is being maintained. You can create images again ${whenOf(until, now)}.`,
    retryAfterSeconds: Math.ceil((new Date(until).getTime() - now.getTime()) / 1_000),
  });
}

/** `at 14:30 UTC`, with the date if it is not today's. */
const whenOf = (moment: string, now: Date) =>
  `${moment.startsWith(now.toISOString().slice(0, 10)) ? '' : `on ${moment.slice(0, 10)} `}at ${moment.slice(11, 16)} UTC`;

/**
 * Inserts the rows of a request, in state `receiving`.
 * @returns the rows, the seller's profile and how far their lane of the queue has come; or the first row of an earlier request
 *   under the same key, without a profile
 */
async function insertRows(
  context: SubmitContext,
  request: ImageRequest,
): Promise<{ rows: Rows; profile: ProfileRow | null; lane: QueueLaneRow | null }> {
  const { db } = context;
  for (;;) {
    const admitted = request.kind === 'photos' ? recentAdmission(request.admitted) : null;
    const [profile, settings, { banner, lane }] = await Promise.all([
      admitted ?? findActiveProfile(db, request.sellerId),
      knownSettings(db, request.sellerId),
      findBannerAndLane(db, request.kind === 'batch' ? 'batch' : 'single'),
    ]);
    if (!profile || !settings) throw new AppError('UNAUTHENTICATED');
    const network =
      request.kind === 'batch' ? request.batch.network : countedNetwork(profile, request.network);
    try {
      checkOpen(banner, new Date());
      await checkRequest(context, request, profile, network, admitted !== null);
    } catch (refusal) {
      // The images that are missing may be on hold for the first request under this key.
      const first = await findFirstUnderKey(db, request);
      if (!first) throw refusal;
      return { rows: [first], profile: null, lane };
    }
    const rows = await newRows(context, request, settings);
    const apiKey = request.kind === 'batch' ? request.batch.api_key : request.apiKey;
    const trace = (request.kind === 'batch' ? request.batch.trace : undefined) ?? traceToStore();
    try {
      const inserted: GenerationRow[] = [];
      // One after the other: only who has inserted the first one may insert the others.
      for (const row of rows) {
        inserted.push(
          await insertGeneration(db, {
            ...row,
            trace,
            ...(network !== undefined && { network }),
            ...(apiKey && { api_key: apiKey }),
          }),
        );
      }
      annotateSpan({ generation: inserted[0]!._id, seller: request.sellerId });
      return { rows: inserted as Rows, profile, lane };
    } catch (error) {
      if (!isDuplicateKey(error)) {
        // Perhaps only the answer of MongoDB was lost, and the row is there.
        for (const { _id } of rows) await removeReceiving(db, _id);
        throw error;
      }
      const first = await findFirstUnderKey(db, request);
      // An image of a batch is continued by whoever comes, because the process that began it may have died.
      if (first) return { rows: [first], profile: first.state === 'receiving' ? profile : null, lane };
      // That request failed, and has removed its row.
    }
  }
}

/** How long a repeated request waits for the first one to be queued or refused, in ms. */
const firstRequestMs = 10_000;
const pollMs = 25;

/**
 * The generation of the first request under a key. While that request is under way, this waits for its outcome, because
 * no other request may place its hold; only an image of a batch is returned at once.
 * @throws AppError IDEMPOTENCY_MISMATCH, or UNAVAILABLE when the first request takes too long
 */
async function findFirstUnderKey(
  db: Db,
  request: ImageRequest | KnownRequest,
): Promise<GenerationRow | null> {
  const { key, fingerprint } = identityOf(request);
  const deadline = Date.now() + firstRequestMs;
  for (;;) {
    const row = await findByIdempotencyKey(db, request.sellerId, key);
    if (!row) return null;
    if (row.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row.state !== 'receiving' || request.kind === 'batch') return row;
    if (Date.now() > deadline) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
    await wait(pollMs);
  }
}

/**
 * Answers a repeated request with the generations of the first one that the seller has not deleted.
 * @throws AppError GENERATION_DELETED when there are none
 */
async function repeat(
  context: SubmitContext,
  request: ImageRequest | KnownRequest,
  first: GenerationRow,
): Promise<Submitted> {
  const row = request.kind === 'batch' ? await findInAnyState(context.db, first._id) : first;
  // Upkeep has removed it, because that took too long.
  if (!row) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  const left = (await finishAcceptedSet(context, row)).rows.filter(({ deletion }) => !deletion);
  if (left.length === 0) throw new AppError('GENERATION_DELETED');
  await recordRemake(context, row);
  return { accepted: await withViews(context.db, left), repeated: true };
}

/**
 * Moves the rows of a request to `queued`. That the first one moves decides that the request is accepted; whatever fails
 * after that, the others follow (`finishAcceptedSet`).
 * @param profile with their holds
 */
async function enqueueRows(
  { db, log }: SubmitContext,
  [first, ...others]: Rows,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
  lane: QueueLaneRow | null,
): Promise<GenerationRow[]> {
  const enqueuing = enqueueTake(db, first, photos, profile, lane);
  // Not awaited: it only sorts the seller's projects.
  touchProjectLater(db, first.profile, first.project ?? first.profile).catch((error) =>
    log.warn({ err: error }, 'a project was not moved to the front'),
  );
  const accepted = await enqueuing;
  // Upkeep removed it, because this request took too long.
  if (!accepted) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  const rows = [accepted];
  for (const row of others) {
    const queued = (await enqueueTake(db, row, photos, profile, lane)) ?? (await findInAnyState(db, row._id));
    if (queued) rows.push(queued);
  }
  return rows;
}

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
  const isOfPlan = hold?.balance !== 'remake' && hold?.balance !== 'pack';
  const byPlan = isOfPlan ? hold?.balance !== 'free' : mayGenerate(profile, new Date());
  const plan = byPlan ? profile.subscription_plan : null;
  const band = plan && plans[plan].goesFirst ? 'first' : 'standard';
  // Images of batches and others do not wait for each other's turns.
  const held = profile.holds.filter(
    ({ batch, waiting }) => (batch !== undefined) === isOfBatch(row) && !waiting,
  );
  const inProgress = Math.max(0, held.length - size + index);
  const priority = queuePriority(laneOfRow(row), band, currentRound(lane, band), inProgress);
  return enqueueGeneration(db, row._id, {
    photos,
    priority,
    ...(hold && { held_on: hold.balance }),
    ...(hold?.counted_on && { counted_on: hold.counted_on }),
  });
}

const isOfBatch = ({ batch }: Pick<GenerationRow, 'batch'>) => batch !== undefined;

/** The lane of the queue of a generation that is not enqueued yet. */
function laneOfRow(row: Pick<GenerationRow, 'batch'>): Lane {
  return isOfBatch(row) ? 'batch' : 'single';
}

/**
 * Enqueues the takes of an accepted set that are still in `receiving`, because the process that accepted it died or has
 * not reached them yet; adds their jobs and announces them. Idempotent.
 * @param first its first generation, no longer in `receiving`
 * @returns the accepted takes by their index, and how many were enqueued just now
 */
export async function finishAcceptedSet(
  context: SubmitContext,
  first: GenerationRow,
): Promise<{ rows: GenerationRow[]; enqueued: number }> {
  const { db } = context;
  if (first.set.size === 1) return { rows: [first], enqueued: 0 };
  const takes = await findTakes(db, [first.set.id]);
  const accepted = takes.filter(({ state }) => state !== 'receiving');
  if (accepted.length === takes.length) return { rows: takes, enqueued: 0 };
  const photos = takes.find((take) => take.photos.length > 0)?.photos;
  const profile = await findProfile(db, first.profile);
  // Gone when the seller has deleted the finished takes, or the account.
  if (!photos || !profile) return { rows: accepted, enqueued: 0 };
  const lane = await findLane(db, laneOfRow(first));
  const rows: GenerationRow[] = [];
  const enqueued: GenerationRow[] = [];
  for (const take of takes) {
    const queued = take.state === 'receiving' ? await enqueueTake(db, take, photos, profile, lane) : take;
    // Null: another process was faster.
    const row = queued ?? (await findInAnyState(db, take._id));
    if (queued && queued !== take) enqueued.push(queued);
    if (row) rows.push(row);
  }
  await publish(context, enqueued, profile);
  return { rows, enqueued: enqueued.length };
}

/**
 * Adds the jobs of queued generations, and tells the seller.
 * @param profile null when its balance is not known
 */
async function publish(
  context: SubmitContext,
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

/** Adds the job of a queued generation. If that fails or takes too long, upkeep adds it. */
async function addJobInTime({ queue, log }: SubmitContext, row: GenerationRow): Promise<void> {
  const adding = addJob(queue, row).catch((error) =>
    log.error({ err: error, generation: row._id }, 'job not added; upkeep will'),
  );
  await inTime(adding, addJobMs).catch(() =>
    log.error({ generation: row._id }, 'the queue does not answer; upkeep adds the job'),
  );
}

/**
 * Removes the rows of a request that failed, the first one before all else, with their holds and files.
 * @returns null; the first row if it was accepted nevertheless: then nothing was removed
 */
async function takeBack(context: SubmitContext, rows: Rows): Promise<GenerationRow | null> {
  const { db } = context;
  const [first, ...others] = rows;
  let accepted: GenerationRow | null = null;
  await withdraw(context, rows, async () => {
    if (!(await removeReceiving(db, first._id))) {
      accepted = await findInAnyState(db, first._id);
      if (accepted) return false;
    }
    for (const { _id } of others) await removeReceiving(db, _id);
    return true;
  });
  return accepted;
}

/**
 * Removes rows from `receiving`, ends their holds, tells the seller, and removes their files. Idempotent.
 * @param rows of one request
 * @param removeRows returns false when they were accepted: then nothing else happens
 * @returns whether they were removed
 */
export function withdraw(
  context: SubmitContext,
  rows: Rows,
  removeRows: () => Promise<boolean>,
): Promise<boolean> {
  const { db } = context;
  const [{ profile: sellerId, photo_set }] = rows;
  const files = { profile: sellerId, generations: rows.map(({ _id }) => _id), photo_set };
  return removeWithFiles(context, files, async () => {
    if (!(await removeRows())) return false;
    let profile: ProfileRow | null = null;
    for (const row of rows) {
      profile = (await (row.batch ? returnBatchHold(db, row) : releaseHold(db, row))) ?? profile;
    }
    await announce(context, sellerId, { profile });
    return true;
  });
}

/**
 * Records in the original of a re-make which generation makes it again, and announces it. Idempotent. Done once the
 * re-make is accepted, and again when it is settled, in case the process died in between.
 * @param row any generation; nothing happens unless it is a re-make
 */
export async function recordRemake(
  context: { db: Db; relay: EventRelay },
  { _id: id, profile: sellerId, remake_of: originalId }: GenerationRow,
): Promise<void> {
  if (originalId === undefined) return;
  const original = await setRemadeBy(context.db, originalId, id);
  if (original) await announce(context, sellerId, { generation: original });
}
