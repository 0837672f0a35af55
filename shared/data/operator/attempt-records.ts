import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, nullableDate, nullableText, number, type Row, rowOptions, text } from '../row.ts';
import { writeLater } from '../write-later.ts';

/** How an attempt ended. `superseded`: it was cancelled, or another attempt has the generation. */
const attemptOutcomes = ['succeeded', 'failed', 'handed-back', 'superseded'] as const;

const attempt = {
  /** `<generation>-<fence>`. */
  _id: text,
  generation: text,
  fence: number,
  /** `<host>:<process>` of its worker. */
  worker: text,
  claimed_at: date,
  /** When its call to the provider began; null if there was none. */
  call_at: nullableDate,
  call_ms: { type: Number, default: null },
  /** What the provider answered: `ok`, or the kind of the error (worker/providers/provider.ts). Null during the call. */
  call_result: nullableText,
  call_status: { type: Number, default: null },
  call_code: nullableText,
  /** The provider's id of the request, by which its support finds it. */
  request_id: nullableText,
  ended_at: nullableDate,
  /** Null while it runs, or if its worker died. */
  outcome: { type: String, enum: attemptOutcomes, default: null },
  detail: { type: String, default: '' },
};

/** What an attempt at a generation did, for operators. Nothing depends on it; a crash may lose its end. */
export interface AttemptRow extends Row<typeof attempt> {}

/** How long records are kept, in seconds. */
const keptSeconds = 90 * 86_400;

const attemptSchema = new Schema<AttemptRow>(attempt, rowOptions);
attemptSchema.index({ generation: 1, fence: 1 });
attemptSchema.index({ request_id: 1 }, { partialFilterExpression: { request_id: { $gt: '' } } });
attemptSchema.index({ claimed_at: 1 }, { expireAfterSeconds: keptSeconds });

export const attempts = collection<AttemptRow>('attempts', attemptSchema, 'apart');

/** Writes the record of an attempt, in place of an earlier version, within a second. */
export async function saveAttempt(db: Db, { _id, ...record }: AttemptRow): Promise<void> {
  const filter = { _id: _id as never };
  await writeLater(db, attempts, { updateOne: { filter, update: { $set: record }, upsert: true } });
}

/** @returns the newest attempts at a generation, by their fence */
export async function listAttempts(db: Db, generationId: string, limit: number): Promise<AttemptRow[]> {
  const rows = await attempts(db).find({ generation: generationId }).sort({ fence: -1 }).limit(limit).lean();
  return rows.reverse();
}

/** @returns ids of the generations with a call that has this id at the provider */
export async function findGenerationsByCall(db: Db, requestId: string): Promise<string[]> {
  const rows = await attempts(db).find({ request_id: requestId }).limit(20).lean();
  return rows.map(({ generation }) => generation);
}
