import { Schema } from 'mongoose';
import { type ImageProviderName, type ImageQuality, imageProviderNames, imageQualities } from '#contract';
import { beginningOf, dayMs, dayOf, nextDay } from '#shared/platform/days.ts';
import type { Tokens } from '#shared/platform/image-tokens.ts';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, optional, rowOptions, text } from '../row.ts';

/*
 * What calls to the image provider cost (docs/decisions/0099-what-images-cost.md). There are two kinds of rows: one for each
 * call, and one for each day with the sum of its calls and with those that are under way. Both are in one collection, so that
 * the end of a call is one statement.
 */

/**
 * `exact`: from what the provider reported. `estimated`: the most that it can be, because nothing was reported. `unknown`: no
 * price of the model is known.
 */
const costStates = ['exact', 'estimated', 'unknown'] as const;
type CostState = (typeof costStates)[number];

const costRow = {
  /** Of a call `<generation>-<fence>`; of a day `2026-11-28`. */
  _id: text,
  /** When the call was reserved; the beginning of the day. */
  at: date,

  // Of a call.
  day: { type: String, ...optional },
  generation: { type: String, ...optional },
  /** The seller's id. Removed with the account. */
  seller: { type: String, ...optional },
  provider: { type: String, enum: imageProviderNames, ...optional },
  model: { type: String, ...optional },
  /** `<width>x<height>`. */
  size: { type: String, ...optional },
  quality: { type: String, enum: imageQualities, ...optional },
  state: { type: String, enum: costStates, ...optional },
  /** In micro-dollars. Absent while it is unknown. */
  amount: { type: Number, ...optional },
  /** `image`, the kind of the error (worker/providers/provider.ts), or `lost` if its worker died. */
  result: { type: String, ...optional },
  /** What the provider reported. */
  tokens: { type: Schema.Types.Mixed, default: undefined },

  // Of a day.
  /** What its calls cost, and can cost that are under way, in micro-dollars. */
  total: { type: Number, ...optional },
  /** The same by the hour (UTC). */
  hours: { type: Schema.Types.Mixed, default: undefined },
  /** Calls that are under way or whose worker died, by the id of their row. */
  open: { type: Schema.Types.Mixed, default: undefined },
  /** When a call was refused because it would have passed the cap. Removed when one is made. */
  stopped_at: { type: Date, ...optional },
};

/** What a call is, and what it can cost at most. */
export interface ReservedCall {
  generation: string;
  /** Absent once the account is deleted. */
  seller?: string;
  provider: ImageProviderName;
  model: string;
  size: string;
  quality: ImageQuality;
  at: Date;
  /** Null if it is unknown. */
  amount: number | null;
}

/** A call that has ended. */
export interface CallCostRow extends Omit<ReservedCall, 'amount'> {
  _id: string;
  day: string;
  state: CostState;
  amount?: number;
  result: string;
  tokens?: Tokens;
}

/** A day. */
export interface CostDayRow {
  _id: string;
  at: Date;
  total: number;
  hours?: Record<string, number>;
  open?: Record<string, ReservedCall>;
  stopped_at?: Date;
}

type CostRow = { _id: string } & Partial<Omit<CallCostRow & CostDayRow, '_id'>>;

const costSchema = new Schema<CostRow>(costRow, rowOptions);
costSchema.index({ at: 1 });
costSchema.index({ seller: 1 }, { sparse: true });

export const providerCosts = collection<CostRow>('provider_costs', costSchema, 'apart');

/** The id of the row of a call. */
export const callCostId = (generation: string, fence: number) => `${generation}-${fence}`;

/** What is written to the day of a call. */
const ofDay = ({ at }: Pick<ReservedCall, 'at'>, change: number) => ({
  total: change,
  [`hours.${at.getUTCHours()}`]: change,
});

/**
 * Reserves what a call can cost at most, if the day has as much left: one statement decides, however many workers ask.
 * @param cap of the day in micro-dollars; null for none
 * @returns false if the call would pass it: nothing is reserved
 */
export async function reserveCost(
  db: Db,
  id: string,
  call: ReservedCall,
  cap: number | null,
): Promise<boolean> {
  const day = dayOf(call.at);
  const most = call.amount ?? 0;
  if (cap !== null && most > cap) return false;
  const reserve = (upsert: boolean) =>
    providerCosts(db).updateOne(
      { _id: day, ...(cap !== null && { total: { $lte: cap - most } }) },
      {
        $inc: ofDay(call, most),
        $set: { [`open.${id}`]: call },
        $unset: { stopped_at: 1 },
        $setOnInsert: { at: beginningOf(day) },
      },
      { upsert },
    );
  try {
    await reserve(true);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // The day has not as much left, or another worker has begun it at this moment.
  return (await reserve(false)).matchedCount === 1;
}

/** Records that a call of a day was refused because of the cap. @returns since when calls are */
export async function recordCostStop(db: Db, at: Date): Promise<Date> {
  const day = dayOf(at);
  try {
    await providerCosts(db).updateOne(
      { _id: day, stopped_at: { $exists: false } },
      { $set: { stopped_at: at }, $setOnInsert: { at: beginningOf(day), total: 0 } },
      { upsert: true },
    );
    return at;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return (await findCostDay(db, at))?.stopped_at ?? at;
}

/** How a call ended. */
export type CallEnd = Pick<CallCostRow, 'state' | 'result'> & {
  amount: number | null;
  tokens: Tokens | null;
};

/**
 * Writes what a call cost, and replaces what was reserved for it. Idempotent: the first one that writes it counts.
 * @param call as it was reserved
 */
export async function endCost(db: Db, id: string, call: ReservedCall, end: CallEnd): Promise<void> {
  const day = dayOf(call.at);
  const { state, result, amount, tokens } = end;
  const { amount: most, ...facts } = call;
  const row = {
    ...facts,
    day,
    state,
    result,
    ...(amount !== null && { amount }),
    ...(tokens && { tokens }),
  };
  // One statement for both. If only the first one is done, upkeep does the second.
  await providerCosts(db).collection.bulkWrite([
    { updateOne: { filter: { _id: id as never }, update: { $setOnInsert: row }, upsert: true } },
    { updateOne: replaceReserved(id, day, call, (amount ?? 0) - (most ?? 0)) },
  ]);
}

function replaceReserved(id: string, day: string, call: ReservedCall, change: number) {
  return {
    filter: { _id: day as never, [`open.${id}`]: { $exists: true } },
    update: { $inc: ofDay(call, change), $unset: { [`open.${id}`]: 1 } },
  };
}

/** Gives back what was reserved for a call that was certainly not executed. Idempotent. */
export async function releaseCost(db: Db, id: string, call: ReservedCall): Promise<void> {
  const { filter, update } = replaceReserved(id, dayOf(call.at), call, -(call.amount ?? 0));
  await providerCosts(db).updateOne(filter, update);
}

/**
 * Ends calls whose worker died: their estimate stays.
 * @param before those that were reserved before this time
 * @returns the rows of those that this call ended
 */
export async function endLostCosts(db: Db, before: Date): Promise<CallCostRow[]> {
  const ended: CallCostRow[] = [];
  for (const { open = {} } of await findDaysWithOpen(db)) {
    for (const [id, call] of Object.entries(open)) {
      if (call.at >= before) continue;
      const written = (await findCallCosts(db, [id]))[0];
      // Its worker died between the two writes of an end.
      const {
        state,
        amount = null,
        result = 'lost',
      } = written ?? {
        state: call.amount === null ? ('unknown' as const) : ('estimated' as const),
        amount: call.amount,
      };
      await endCost(db, id, call, { state, amount, result, tokens: null });
      ended.push(...(written ? [] : await findCallCosts(db, [id])));
    }
  }
  return ended;
}

/** @returns the days that may have calls that are under way, or whose worker died */
function findDaysWithOpen(db: Db): Promise<CostDayRow[]> {
  const now = Date.now();
  return findCostDays(db, [dayOf(new Date(now - dayMs)), dayOf(new Date(now))]);
}

/** @returns the day of a moment; null if no call was made on it */
export async function findCostDay(db: Db, at: Date): Promise<CostDayRow | null> {
  return (await providerCosts(db).findById(dayOf(at)).lean()) as CostDayRow | null;
}

/** @returns those of the days that had calls, in order */
export async function findCostDays(db: Db, days: readonly string[]): Promise<CostDayRow[]> {
  const rows = await providerCosts(db)
    .find({ _id: { $in: days } })
    .lean();
  return (rows as CostDayRow[]).toSorted((one, other) => one._id.localeCompare(other._id));
}

/** @returns the rows of calls, by their ids */
export async function findCallCosts(db: Db, ids: readonly string[]): Promise<CallCostRow[]> {
  return (await providerCosts(db)
    .find({ _id: { $in: ids } })
    .lean()) as CallCostRow[];
}

/** Calls of one kind that have ended, of one day. */
export interface CostGroup {
  day: string;
  provider: ImageProviderName;
  model: string;
  size: string;
  quality: ImageQuality;
  state: CostState;
  result: string;
  calls: number;
  amount: number;
}

/** The calls that were reserved in a time, and have ended. */
const endedIn = (from: Date, until: Date) => ({ at: { $gte: from, $lt: until }, state: { $exists: true } });

/** Sums up the calls of a time by their kind. */
export async function sumCosts(db: Db, from: Date, until: Date): Promise<CostGroup[]> {
  const groups = await providerCosts(db).aggregate<{ _id: Omit<CostGroup, 'calls' | 'amount'> } & CostGroup>([
    { $match: endedIn(from, until) },
    {
      $group: {
        _id: {
          day: '$day',
          provider: '$provider',
          model: '$model',
          size: '$size',
          quality: '$quality',
          state: '$state',
          result: '$result',
        },
        calls: { $sum: 1 },
        amount: { $sum: '$amount' },
      },
    },
  ]);
  return groups.map(({ _id, calls, amount }) => ({ ..._id, calls, amount }));
}

/** What the calls for one seller cost. */
export interface SellerCosts {
  /** Null for accounts that are deleted. */
  seller: string | null;
  calls: number;
  amount: number;
}

/** Sums up the calls of a time by seller. @returns those that cost most, at most `limit` */
export async function sumCostsOfSellers(
  db: Db,
  from: Date,
  until: Date,
  limit: number,
): Promise<SellerCosts[]> {
  const groups = await providerCosts(db).aggregate<SellerCosts & { _id: string | null }>([
    { $match: endedIn(from, until) },
    { $group: { _id: '$seller', calls: { $sum: 1 }, amount: { $sum: '$amount' } } },
  ]);
  return groups
    .map(({ _id, calls, amount }) => ({ seller: _id ?? null, calls, amount }))
    .toSorted((one, other) => other.amount - one.amount || other.calls - one.calls)
    .slice(0, limit);
}

/** A day whose sum differs from its calls. */
export interface WrongCostDay {
  day: string;
  total: number;
  /** What its calls cost. */
  calls: number;
}

/** Compares the sum of each day with its calls, for the audit. */
export async function findWrongCostDays(db: Db): Promise<WrongCostDay[]> {
  const wrong: WrongCostDay[] = [];
  for await (const row of providerCosts(db)
    .find({ total: { $exists: true } })
    .lean()
    .cursor()) {
    const { _id: day, total, open = {} } = row as CostDayRow;
    const from = beginningOf(day);
    const groups = await sumCosts(db, from, nextDay(from));
    const reserved = Object.values(open).reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const calls = groups.reduce((sum, { amount }) => sum + amount, reserved);
    if (calls !== total) wrong.push({ day, total, calls });
  }
  return wrong;
}

/** Removes the seller's id from the costs, which stay. */
export async function detachCosts(db: Db, sellerId: string): Promise<void> {
  for (const { _id: day, open = {} } of await findDaysWithOpen(db)) {
    for (const [id, { seller }] of Object.entries(open)) {
      if (seller !== sellerId) continue;
      await providerCosts(db).updateOne(
        { _id: day, [`open.${id}`]: { $exists: true } },
        { $unset: { [`open.${id}.seller`]: 1 } },
      );
    }
  }
  await providerCosts(db).updateMany({ seller: sellerId }, { $unset: { seller: 1 } });
}
