import type { QueryFilter } from 'mongoose';
import { generatingStatuses, type PlanId } from '#contract';
import { eachOf } from '#shared/data/add-to-lists.ts';
import { updateRow } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { countInDay, type DayCount } from './daily-count.ts';
import { type Hold, type HoldBalance, type PendingLedgerEntry, type ProfileRow, profiles } from './schema.ts';

/*
 * Statements on the holds of a profile. Each is one compare-and-set on the profile, so it takes effect once however
 * often and wherever it runs. What may be held, and what the end of a hold does to the balance, is decided in
 * shared/credits/holds.ts.
 */

/** Sum of the counts of the holds that match a condition, as an aggregation expression. */
const sumOfHolds = (condition: object) => ({
  $sum: {
    $map: {
      input: { $filter: { input: '$holds', as: 'hold', cond: condition } },
      as: 'hold',
      in: '$$hold.count',
    },
  },
});
const holdsOn = (balance: HoldBalance) => ({ $eq: ['$$hold.balance', balance] });
const meteredHolds = sumOfHolds(holdsOn('metered'));
const freeHolds = sumOfHolds(holdsOn('free'));
const packHolds = sumOfHolds(holdsOn('pack'));
const fairUseHolds = sumOfHolds({ $and: [holdsOn('unlimited'), { $eq: ['$$hold.lapsed', false] }] });

/** A hold to be placed. */
export type NewHold = Pick<Hold, 'generation' | 'count' | 'balance' | 'batch' | 'waiting' | 'counted_on'>;

/** What plans allow. */
export interface HoldRules {
  /** The plans with a monthly number. */
  meteredPlans: readonly PlanId[];
  /** The plans without one. */
  unlimitedPlans: readonly PlanId[];
  /** Images that a plan without a monthly number may use in a period. */
  fairUse: number;
}

/**
 * Places the holds of a request, all of them or none. They may be on the images of the plan, on free ones and on those of packs
 * at once.
 * @param counted what they add to the count of their day; null if they are not counted
 * @returns the profile with the holds; null when the plan, a balance or the daily limit does not allow one of them, or one
 *   of the generations has a hold
 */
export function placeHolds(
  db: Db,
  sellerId: string,
  holds: readonly NewHold[],
  { meteredPlans, unlimitedPlans, fairUse }: HoldRules,
  counted: DayCount | null,
): Promise<ProfileRow | null> {
  const asked = (balance: HoldBalance) =>
    holds.reduce((sum, hold) => sum + (hold.balance === balance ? hold.count : 0), 0);
  const [metered, unlimited] = [asked('metered'), asked('unlimited')];
  const plans = [...(metered > 0 ? meteredPlans : []), ...(unlimited > 0 ? unlimitedPlans : [])];
  const left = { $subtract: ['$generations_left', meteredHolds] };
  const freeLeft = { $subtract: ['$free_images.left', freeHolds] };
  const packLeft = { $subtract: ['$pack_images.left', packHolds] };
  const used = { $add: ['$fair_use.used', fairUseHolds, unlimited] };
  const at = new Date();
  const $push = eachOf({ holds: holds.map((hold) => ({ ...hold, lapsed: false, at })) });
  const { filter, $set, $inc } = countedParts(counted);
  return updateRow(
    profiles(db),
    {
      _id: sellerId,
      deletion_asked_at: null,
      'holds.generation': { $nin: holds.map(({ generation }) => generation) },
      ...(plans.length > 0 && allowedByPlan(plans)),
      ...filter,
      $expr: {
        $and: [
          ...(metered > 0 ? [{ $gte: [left, metered] }] : []),
          ...(unlimited > 0 ? [{ $lte: [used, fairUse] }] : []),
          { $gte: [freeLeft, asked('free')] },
          ...(asked('pack') > 0 ? [{ $gte: [packLeft, asked('pack')] }] : []),
        ],
      },
    },
    { ...($push && { $push }), ...$set, $inc: { ...$inc, revision: 1 } },
  );
}

/** The parts of an update that counts images in their day, or none. */
function countedParts(counted: DayCount | null) {
  if (!counted) return { filter: {}, $set: {}, $inc: {} };
  const { filter, $set, $inc } = countInDay(counted);
  // MongoDB refuses an operator without fields.
  return { filter, $inc, $set: Object.keys($set).length > 0 ? { $set } : {} };
}

/** Profiles whose plan is one of these and allows images now: the same rule as mayGenerate() in shared/credits/holds.ts. */
function allowedByPlan(planIds: readonly PlanId[]): QueryFilter<ProfileRow> {
  return {
    period_refunded: { $ne: true },
    $or: [
      { subscription_status: { $in: [...generatingStatuses] } },
      { subscription_status: 'past_due', grace_until: { $gt: new Date() } },
    ],
    subscription_plan: { $in: [...planIds] },
  };
}

/** What the end of a hold does to the balance. */
export interface BalanceChange {
  /** Amounts to add to the counters of the profile. */
  counters: Readonly<Record<string, number>>;
  /** Images that expire, to be posted to the ledger. */
  forfeit?: PendingLedgerEntry;
  /** Images that are taken back because their payment was returned, to be posted to the ledger. */
  refund?: PendingLedgerEntry;
  /** Only while the profile has this revision, with which the change was computed. */
  revision?: number;
  /** Only while the profile counts images that are made again in this month. */
  remakesMonth?: string;
  /** The day in which the images no longer count; only while it is the one that the profile counts. */
  uncountedDay?: string;
  /** When the image failed or was cancelled; absent if it was made. */
  unmadeAt?: Date;
}

const latestUnmade = (at: Date) => ({ $max: { unmade_at: at } });

/** Records that an image of a seller failed or was cancelled, where its hold was gone. Idempotent. */
export async function recordUnmade(db: Db, sellerId: string, at: Date): Promise<void> {
  await profiles(db).updateOne({ _id: sellerId }, latestUnmade(at));
}

/**
 * Removes a hold and changes the balance in the same update.
 * @param hold as it was read: if it has changed since, nothing happens
 * @returns the profile after it, or null when there was no such hold
 */
export function endHold(
  db: Db,
  sellerId: string,
  { generation, count, balance, lapsed }: Omit<Hold, 'at'>,
  { counters, forfeit, refund, revision, remakesMonth, uncountedDay, unmadeAt }: BalanceChange,
): Promise<ProfileRow | null> {
  return updateRow(
    profiles(db),
    {
      _id: sellerId,
      holds: { $elemMatch: { generation, count, balance, lapsed } },
      ...(remakesMonth !== undefined && { 'remakes.month': remakesMonth }),
      ...(revision !== undefined && { revision }),
      ...(uncountedDay !== undefined && { 'images_today.day': uncountedDay }),
    },
    {
      $inc: {
        ...counters,
        ...(uncountedDay !== undefined && { 'images_today.used': -count }),
        revision: 1,
      },
      $pull: { holds: { generation } },
      ...(unmadeAt && latestUnmade(unmadeAt)),
      ...((forfeit || refund) && {
        $push: { ...(forfeit && { forfeits: forfeit }), ...(refund && { refunds: refund }) },
      }),
    },
  );
}

/**
 * Replaces the holds of a profile: a compare-and-set on its revision, which every change of a hold increases.
 * @param imagesToday the count of the day after it, if it changes
 * @returns the profile after it; null when it has changed since it was read
 */
export function replaceHolds(
  db: Db,
  { _id, revision }: Pick<ProfileRow, '_id' | 'revision'>,
  holds: readonly Hold[],
  imagesToday?: ProfileRow['images_today'],
): Promise<ProfileRow | null> {
  return profiles(db)
    .findOneAndUpdate(
      { _id, revision, deletion_asked_at: null },
      {
        $set: { holds: [...holds], ...(imagesToday && { images_today: imagesToday }) },
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** All profiles with a hold that was placed before a moment. */
export function profilesWithHoldsBefore(db: Db, moment: Date): AsyncIterable<ProfileRow> {
  return profiles(db)
    .find({ 'holds.at': { $lt: moment } })
    .lean()
    .cursor();
}

/** @returns how many images all profiles have on hold */
export async function countHeldImages(db: Db): Promise<number> {
  const [sum] = await profiles(db).aggregate<{ held: number }>([
    // By its index, so that only profiles with holds are read.
    { $match: { 'holds.at': { $gt: new Date(0) } } },
    { $group: { _id: null, held: { $sum: { $sum: '$holds.count' } } } },
  ]);
  return sum?.held ?? 0;
}

/** The calendar month (UTC) of a moment, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/**
 * Places the hold of an image that is made again at no charge, and counts it in its month and its day. One compare-and-set.
 * @param most how many there may be in a month
 * @param counted what it adds to the count of the day
 * @returns the profile with the hold; null when there are as many already in the month or the day, or the generation has a hold
 */
export async function placeRemakeHold(
  db: Db,
  sellerId: string,
  { generation, count, at }: { generation: string; count: number; at: Date },
  most: number,
  counted: DayCount,
): Promise<ProfileRow | null> {
  const month = monthOf(at);
  const hold = { generation, count, balance: 'remake', lapsed: false, at, counted_on: counted.day } as const;
  const day = countInDay(counted);
  const own = {
    _id: sellerId,
    deletion_asked_at: null,
    'holds.generation': { $ne: generation },
    ...day.filter,
  };
  const sameMonth = await profiles(db)
    .findOneAndUpdate(
      // Not only equal: the clock of another server may be ahead.
      { ...own, 'remakes.month': { $gte: month }, 'remakes.used': { $lte: most - count } },
      {
        $push: { holds: hold },
        ...countedParts(counted).$set,
        $inc: { ...day.$inc, 'remakes.used': count, revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
  if (sameMonth) return sameMonth;
  return profiles(db)
    .findOneAndUpdate(
      { ...own, $or: [{ 'remakes.month': null }, { 'remakes.month': { $lt: month } }] },
      {
        $push: { holds: hold },
        $set: { ...day.$set, 'remakes.month': month, 'remakes.used': count },
        $inc: { ...day.$inc, revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}
