import { Schema } from 'mongoose';
import { type Day, dayMs } from '#shared/platform/days.ts';
import { eachOf } from '../add-to-lists.ts';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, type Row, rowOptions, text } from '../row.ts';

const unpaidCallsOfDay = {
  /** Whose they are, and the day (UTC): `seller:<id>:2026-11-26` or `network:<hash>:2026-11-26`. */
  _id: text,
  /** The calls: the generation and a number, so that none is counted twice. */
  calls: { type: [String], default: [] },
  /** How many of them no longer count, because an operator reset the count. */
  forgiven: { type: Number, default: 0 },
  /** Of a seller: the networks whose count stopped the seller on this day, as rows of generations have them. */
  networks: { type: [String], default: undefined },
  expires_at: date,
};

/**
 * Calls to the image provider on one day that nobody pays us for, of a seller or of a network (docs/credits.md, "Unpaid
 * calls"). Networks are stored as hashes, and rows are removed after two days.
 */
export interface UnpaidCallsRow extends Row<typeof unpaidCallsOfDay> {}

const unpaidCallsSchema = new Schema<UnpaidCallsRow>(unpaidCallsOfDay, rowOptions);
unpaidCallsSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const unpaidCalls = collection<UnpaidCallsRow>('unpaid_calls', unpaidCallsSchema, 'apart');

/** Whose calls are counted. */
export type UnpaidCallsOwner =
  | { kind: 'seller'; id: string }
  /** id: the hash of the network. */
  | { kind: 'network'; id: string };

/** From the beginning of its day. */
const keptMs = 2 * dayMs;

const rowId = ({ kind, id }: UnpaidCallsOwner, day: Day) => `${kind}:${id}:${day}`;
const expiry = (day: Day) => ({ expires_at: new Date(Date.parse(day) + keptMs) });
const counted = ({ calls, forgiven }: Pick<UnpaidCallsRow, 'calls' | 'forgiven'>) =>
  Math.max(0, calls.length - forgiven);

/**
 * Counts calls. Idempotent: a call that was counted before changes nothing.
 * @param calls a name for each, which no other call has
 * @returns whether any of them was not counted before
 */
export async function addUnpaidCalls(
  db: Db,
  owner: UnpaidCallsOwner,
  day: Day,
  calls: readonly string[],
): Promise<boolean> {
  const $addToSet = eachOf({ calls });
  return $addToSet !== undefined && upsert(db, rowId(owner, day), { $addToSet, $setOnInsert: expiry(day) });
}

/** Records that the count of a network, or of a wider one, stopped a seller, for operators. */
export async function recordStoppedByNetwork(
  db: Db,
  sellerId: string,
  day: Day,
  network: string,
): Promise<void> {
  await upsert(db, rowId({ kind: 'seller', id: sellerId }, day), {
    $addToSet: { networks: network },
    $setOnInsert: expiry(day),
  });
}

/** @returns whether it changed anything */
async function upsert(db: Db, id: string, update: object): Promise<boolean> {
  for (;;) {
    try {
      const { modifiedCount, upsertedCount } = await unpaidCalls(db).updateOne({ _id: id }, update, {
        upsert: true,
      });
      return modifiedCount + upsertedCount > 0;
    } catch (error) {
      // Another process inserted it at this moment.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** @returns how many calls of each owner count on a day, in their order */
export async function countUnpaidCalls(
  db: Db,
  owners: readonly UnpaidCallsOwner[],
  day: Day,
): Promise<number[]> {
  const ids = owners.map((owner) => rowId(owner, day));
  const rows = await unpaidCalls(db)
    .find({ _id: { $in: ids } })
    .lean();
  return ids.map((id) => {
    const row = rows.find(({ _id }) => _id === id);
    return row ? counted(row) : 0;
  });
}

/** @returns the networks whose count stopped a seller on a day, as rows of generations have them */
export async function networksThatStopped(db: Db, sellerId: string, day: Day): Promise<string[]> {
  const row = await unpaidCalls(db)
    .findById(rowId({ kind: 'seller', id: sellerId }, day))
    .lean();
  return row?.networks ?? [];
}

/** Resets counts: what was counted until now no longer counts. A repeated settlement of those calls counts nothing again. */
export async function forgiveUnpaidCalls(
  db: Db,
  owners: readonly UnpaidCallsOwner[],
  day: Day,
): Promise<void> {
  await unpaidCalls(db).updateMany(
    { _id: { $in: owners.map((owner) => rowId(owner, day)) } },
    [{ $set: { forgiven: { $size: '$calls' } } }],
    { updatePipeline: true },
  );
}

/** Removes the counts of a seller whose account is deleted. */
export async function removeUnpaidCallsOf(db: Db, sellerId: string): Promise<void> {
  await unpaidCalls(db).deleteMany(daysOf(sellerId));
}

/** @returns a seller's counts of the last days */
export function listUnpaidCalls(db: Db, sellerId: string): Promise<UnpaidCallsRow[]> {
  return unpaidCalls(db).find(daysOf(sellerId)).sort({ _id: 1 }).lean();
}

function daysOf(sellerId: string) {
  const prefix = `seller:${sellerId}:`;
  // The digits of a day lie before the character that follows them.
  return { _id: { $gte: prefix, $lt: `${prefix}:` } };
}
