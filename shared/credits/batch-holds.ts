import { findAnyBatch } from '#shared/data/batches/batches.ts';
import { listBatchItems } from '#shared/data/batches/items.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { listAllIn } from '#shared/data/generations/batches.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type NewHold, replaceHolds } from '#shared/data/profiles/holds.ts';
import type { Hold, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkDailyLimit, countedToday, dayCountOf } from './daily-limit.ts';
import { releaseHold } from './end-hold.ts';
import { checkCanGenerate, mayBegin, refusalByPlan } from './holds.ts';
import { balanceOfPlan, type PlanBalance, reserve } from './reserve.ts';

/*
 * The holds of batches (docs/decisions/0058-batches.md). The images of a batch are put on hold together, as one number; each
 * generation takes its own hold from it when it is enqueued. So a batch of 2,000 images has one hold and those of the few
 * generations that are under way, not 2,000.
 */

/** Whether a hold is the one for the images of a batch that wait. */
const isWaitingHold = (batchId: string) => (hold: Hold) => hold.batch === batchId && hold.waiting === true;

/** Images of a batch that are on hold and wait. */
export function waitingOnHold({ holds }: Pick<ProfileRow, 'holds'>, batchId: string): number {
  return holds.filter(isWaitingHold(batchId)).reduce((sum, { count }) => sum + count, 0);
}

/**
 * Puts images of a batch on hold: all of them, or none. Idempotent by its key.
 * @param key names this reservation: no other one of any batch has it
 * @param fairUse images that a plan without a monthly number may use in a period
 * @returns the profile with the hold
 * @throws AppError as `checkCanGenerate`, or UNAUTHENTICATED when the account is gone or being deleted
 */
export function reserveBatch(
  db: Db,
  seen: ProfileRow,
  { batch, key, count }: { batch: string; key: string; count: number },
  fairUse: number,
): Promise<ProfileRow> {
  const isHeld = ({ generation }: Hold) => Object.values(holdIds(key)).includes(generation);
  // They count in the day in which each of them is enqueued.
  const reservation = { count, fairUse, dailyImages: null, isHeld };
  return reserve(db, seen, reservation, (plan) => holdsFor({ batch, key, count }, plan));
}

/** Gives a reservation of a batch that was not started back to the balance. @returns the profile; null when it had no hold */
export async function releaseReservation(db: Db, sellerId: string, key: string): Promise<ProfileRow | null> {
  let released: ProfileRow | null = null;
  for (const generation of Object.values(holdIds(key))) {
    released = (await releaseHold(db, { _id: generation, profile: sellerId })) ?? released;
  }
  return released;
}

/** With a colon: no generation has such an id. */
const holdIds = (key: string) => ({
  plan: `batch:${key}:plan`,
  free: `batch:${key}:free`,
  pack: `batch:${key}:pack`,
});

/** The holds for images of a batch: the plan's images first, then free ones, then those of packs. */
function holdsFor(
  { batch, key, count }: { batch: string; key: string; count: number },
  { available, balance, free }: PlanBalance,
): NewHold[] {
  const ids = holdIds(key);
  const onPlan = Math.min(count, available);
  const onFree = Math.min(count - onPlan, free);
  return [
    { generation: ids.plan, count: onPlan, balance, batch, waiting: true },
    { generation: ids.free, count: onFree, balance: 'free' as const, batch, waiting: true },
    { generation: ids.pack, count: count - onPlan - onFree, balance: 'pack' as const, batch, waiting: true },
  ].filter((hold) => hold.count > 0);
}

/**
 * Puts the images of a paused batch that wait on hold again, as far as they are not: all of them, or none. Their holds end
 * with the plan or the period in which they were placed. Idempotent.
 * @param seen the seller's profile as it was read before
 * @returns the profile with the holds
 * @throws AppError as `reserveBatch`
 */
export async function reserveRest(
  db: Db,
  seen: ProfileRow,
  batchId: string,
  fairUse: number,
): Promise<ProfileRow> {
  for (let current: ProfileRow | null = seen; ; current = await findProfile(db, seen._id)) {
    if (!current || current.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
    const profile = current;
    const count = await checkRest(db, profile, batchId, fairUse);
    if (count <= 0) return profile;
    // Its id is new, because the plan may have ended several times; the revision keeps it from being placed twice.
    const reservation = { batch: batchId, key: `${batchId}:${newId()}`, count };
    const placed = holdsFor(reservation, balanceOfPlan(profile, fairUse));
    const added = placed.map((hold) => ({ ...hold, lapsed: false, at: new Date() }));
    const held = await replaceHolds(db, profile, [...profile.holds, ...added]);
    if (held) return held;
  }
}

/** @returns how many images of a paused batch are to be put on hold again @throws AppError as `reserveBatch` */
export async function checkRest(
  db: Db,
  profile: ProfileRow,
  batchId: string,
  fairUse: number,
): Promise<number> {
  const now = new Date();
  if (profile.holds.some((hold) => isWaitingHold(batchId)(hold) && !mayBegin(profile, hold, now))) {
    throw refusalByPlan(profile);
  }
  const count = await countWithoutHold(db, profile, batchId);
  if (count > 0) checkCanGenerate(profile, count, fairUse);
  return count;
}

/**
 * Images of a batch that wait and are not on hold.
 * @param profile read before: a change of its holds meanwhile changes its revision
 */
export async function countWithoutHold(db: Db, profile: ProfileRow, batchId: string): Promise<number> {
  const [items, generations] = await Promise.all([listBatchItems(db, batchId), listAllIn(db, batchId)]);
  // An image that is being enqueued, perhaps by a process that died, is on the list until its generation is in the queue.
  const isBegun = ({ _id: id, state }: { _id: string; state: string }) =>
    state !== 'receiving' || profile.holds.some(({ generation }) => generation === id);
  const keyOf = ({ row, take, attempt }: { row: number; take: number; attempt: number }) =>
    `${row} ${take} ${attempt}`;
  const begun = new Set(generations.filter(isBegun).map(({ batch }) => keyOf(batch!)));
  const waiting = items.flatMap(({ index, queue }) =>
    queue.map((queued) => keyOf({ row: index, ...queued })),
  );
  return waiting.filter((key) => !begun.has(key)).length - waitingOnHold(profile, batchId);
}

/** The hold of a batch from which the next image takes its own; undefined when none may begin now. */
export function nextBatchHold(profile: ProfileRow, batchId: string): Hold | undefined {
  const now = new Date();
  return profile.holds.find((hold) => isWaitingHold(batchId)(hold) && mayBegin(profile, hold, now));
}

/** No image of a batch may begin now: its plan or period has ended, or its holds are gone. */
export class NoBatchHold extends Error {
  override name = 'NoBatchHold';
}

/** A generation of a batch is no longer in `receiving`: another process has enqueued it, or upkeep has removed it. */
export class ContinuedElsewhere extends Error {
  override name = 'ContinuedElsewhere';
}

/**
 * Takes the hold of a generation from that of its batch, while the generation is in `receiving`, and counts it in this day.
 * Idempotent.
 *
 * The profile is read before the generation: as long as the generation is in `receiving` nothing can have ended its hold,
 * so a hold that is not in the profile was never taken, or is taken after the profile was read, which changes its revision.
 * @returns the profile with the hold
 * @throws NoBatchHold, ContinuedElsewhere, or AppError DAILY_LIMIT
 */
export async function takeBatchHold(
  db: Db,
  { _id: id, profile: sellerId, count }: Pick<GenerationRow, '_id' | 'profile' | 'count'>,
  batchId: string,
  dailyImages: DailyImages,
): Promise<ProfileRow> {
  for (;;) {
    const profile = await findProfile(db, sellerId);
    const row = await findInAnyState(db, id);
    if (row?.state !== 'receiving') throw new ContinuedElsewhere();
    if (!profile || profile.deletion_asked_at) throw new NoBatchHold();
    if (profile.holds.some(({ generation }) => generation === id)) return profile;
    const source = nextBatchHold(profile, batchId);
    if (!source) throw new NoBatchHold();
    checkDailyLimit(profile, count, dailyImages);
    const { day } = dayCountOf(profile, count, dailyImages);
    const { waiting: _, ...rest } = source;
    const holds = profile.holds.flatMap((hold) => {
      if (hold.generation !== source.generation) return [hold];
      return hold.count > count ? [{ ...hold, count: hold.count - count }] : [];
    });
    const taken = await replaceHolds(
      db,
      profile,
      [...holds, { ...rest, generation: id, count, at: new Date(), counted_on: day }],
      { day, used: countedToday(profile) + count },
    );
    if (taken) return taken;
  }
}

/**
 * Ends the hold of a generation of a batch that was never enqueued: while the batch goes on, it is a hold for images that
 * wait again; else it is released. Either way it no longer counts in its day. Idempotent.
 * @returns the profile after it; null when nothing changed
 */
export async function returnBatchHold(
  db: Db,
  { _id: id, profile: sellerId }: Pick<GenerationRow, '_id' | 'profile'>,
): Promise<ProfileRow | null> {
  for (;;) {
    const profile = await findProfile(db, sellerId);
    const hold = profile?.holds.find(({ generation }) => generation === id);
    if (!profile || !hold) return null;
    const batch = hold.batch === undefined ? null : await findAnyBatch(db, hold.batch);
    if (!batch || !mayEnqueue(batch)) return releaseHold(db, { _id: id, profile: sellerId });
    const { counted_on: day, ...rest } = hold;
    // Under an id of its own, because the generation is gone.
    const waiting = { ...rest, generation: `batch:${batch._id}:${id}`, waiting: true };
    const holds = profile.holds.map((each) => (each === hold ? waiting : each));
    const today = profile.images_today;
    const counted = today && day === today.day ? { day, used: today.used - hold.count } : undefined;
    const returned = await replaceHolds(db, profile, holds, counted);
    if (returned) return returned;
  }
}

/** Whether images of a batch may still be enqueued. */
export const mayEnqueue = ({ state, cancelled_at: cancelled }: Pick<BatchRow, 'state' | 'cancelled_at'>) =>
  (state === 'running' || state === 'paused') && !cancelled;

/** Gives the images of a batch that wait back to the balance. Idempotent. @returns the profile; null when there were none */
export async function releaseBatchHolds(
  db: Db,
  { _id: batchId, profile: sellerId }: { _id: string; profile: string },
): Promise<ProfileRow | null> {
  let released: ProfileRow | null = null;
  const profile = await findProfile(db, sellerId);
  for (const { generation } of profile?.holds.filter(isWaitingHold(batchId)) ?? []) {
    released = (await releaseHold(db, { _id: generation, profile: sellerId })) ?? released;
  }
  return released;
}
