import type { QueryFilter } from 'mongoose';
import { generatingStatuses, type PlanId } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { Hold, HoldBalance, PendingLedgerEntry, ProfileRow } from './schema.ts';

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
const welcomeHolds = sumOfHolds(holdsOn('welcome'));
const fairUseHolds = sumOfHolds({ $and: [holdsOn('unlimited'), { $eq: ['$$hold.lapsed', false] }] });

/** The generation that a hold is for. */
export interface HoldRequest {
  generationId: string;
  sellerId: string;
  /** Images to reserve. */
  count: number;
}

/**
 * Places a hold on the images that are left of a monthly number.
 * @param planIds the plans that have one
 * @returns the profile with the hold; null when the plan or the balance does not allow it, or the generation has a hold
 */
export function placeMeteredHold(
  db: Db,
  request: HoldRequest,
  planIds: readonly PlanId[],
): Promise<ProfileRow | null> {
  const available = { $subtract: ['$generations_left', meteredHolds] };
  const enough = { $gte: [available, request.count] };
  return placeHold(db, request, 'metered', { ...allowedByPlan(planIds), $expr: enough });
}

/**
 * Places a hold under a plan without a monthly number.
 * @param planIds the plans that have none
 * @param fairUse images that such a plan may use in a period
 * @returns as {@link placeMeteredHold}
 */
export function placeFairUseHold(
  db: Db,
  request: HoldRequest,
  planIds: readonly PlanId[],
  fairUse: number,
): Promise<ProfileRow | null> {
  const used = { $add: ['$fair_use.used', fairUseHolds, request.count] };
  return placeHold(db, request, 'unlimited', { ...allowedByPlan(planIds), $expr: { $lte: [used, fairUse] } });
}

/**
 * Places a hold on the free images, whatever the plan is.
 * @returns the profile with the hold; null when too few are available, or the generation has a hold
 */
export function placeWelcomeHold(db: Db, request: HoldRequest): Promise<ProfileRow | null> {
  const available = { $subtract: ['$welcome.left', welcomeHolds] };
  return placeHold(db, request, 'welcome', { $expr: { $gte: [available, request.count] } });
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

function placeHold(
  db: Db,
  { generationId, sellerId, count }: HoldRequest,
  balance: HoldBalance,
  condition: QueryFilter<ProfileRow>,
): Promise<ProfileRow | null> {
  return modelsOf(db)
    .profiles.findOneAndUpdate(
      {
        _id: sellerId,
        deletion_asked_at: null,
        'holds.generation': { $ne: generationId },
        ...condition,
      },
      {
        $push: { holds: { generation: generationId, count, balance, lapsed: false, at: new Date() } },
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** @returns the hold of a generation, or null when it has none */
export async function findHold(db: Db, sellerId: string, generationId: string): Promise<Hold | null> {
  const profile = await modelsOf(db)
    .profiles.findOne({ _id: sellerId, 'holds.generation': generationId })
    .lean();
  return profile?.holds.find(({ generation }) => generation === generationId) ?? null;
}

/** What the end of a hold does to the balance. */
export interface BalanceChange {
  /** Amounts to add to the counters of the profile. */
  counters: Readonly<Record<string, number>>;
  /** Images that expire, to be posted to the ledger. */
  forfeit?: PendingLedgerEntry;
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
  { counters, forfeit }: BalanceChange,
): Promise<ProfileRow | null> {
  return modelsOf(db)
    .profiles.findOneAndUpdate(
      { _id: sellerId, holds: { $elemMatch: { generation, count, balance, lapsed } } },
      {
        $inc: { ...counters, revision: 1 },
        $pull: { holds: { generation } },
        ...(forfeit && { $push: { forfeits: forfeit } }),
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** All profiles with a hold that was placed before a moment. */
export function profilesWithHoldsBefore(db: Db, moment: Date): AsyncIterable<ProfileRow> {
  return modelsOf(db)
    .profiles.find({ 'holds.at': { $lt: moment } })
    .lean()
    .cursor();
}
