import { generatingStatuses, type PlanId } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { Hold, PendingLedgerEntry, ProfileRow } from './schema.ts';

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
const meteredHolds = sumOfHolds({ $eq: ['$$hold.metered', true] });
const fairUseHolds = sumOfHolds({
  $and: [{ $eq: ['$$hold.metered', false] }, { $eq: ['$$hold.lapsed', false] }],
});

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
  return placeHold(db, request, planIds, true, { $gte: [available, request.count] });
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
  return placeHold(db, request, planIds, false, { $lte: [used, fairUse] });
}

function placeHold(
  db: Db,
  { generationId, sellerId, count }: HoldRequest,
  planIds: readonly PlanId[],
  metered: boolean,
  condition: object,
): Promise<ProfileRow | null> {
  const now = new Date();
  return modelsOf(db)
    .profiles.findOneAndUpdate(
      {
        _id: sellerId,
        deletion_asked_at: null,
        // The same rule as mayGenerate() in shared/credits/holds.ts.
        period_refunded: { $ne: true },
        $or: [
          { subscription_status: { $in: [...generatingStatuses] } },
          { subscription_status: 'past_due' as const, grace_until: { $gt: now } },
        ],
        'holds.generation': { $ne: generationId },
        subscription_plan: { $in: [...planIds] },
        $expr: condition,
      },
      {
        $push: { holds: { generation: generationId, count, metered, lapsed: false, at: now } },
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
  { generation, count, metered, lapsed }: Omit<Hold, 'at'>,
  { counters, forfeit }: BalanceChange,
): Promise<ProfileRow | null> {
  return modelsOf(db)
    .profiles.findOneAndUpdate(
      { _id: sellerId, holds: { $elemMatch: { generation, count, metered, lapsed } } },
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
