import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { withPrefix } from '../id-prefix.ts';
import { takeLease } from '../lease.ts';
import { date, nullableDate, nullableText, type Row, rowOptions, text } from '../row.ts';

const webhookCall = {
  /** Idempotency key; the receiver gets it as well. */
  _id: text,
  /** JSON. */
  body: text,
  created_at: date,
  /** When it may be sent, or sent again after a failure. While it is being sent, the end of the sender's lease. */
  due_at: date,
  attempts: { type: Number, default: 0 },
  /** When it was accepted or given up. */
  ended_at: nullableDate,
  /** Why the last attempt failed. */
  failure: nullableText,
};

/** A call of the operators' webhook, in the outbox. */
export interface WebhookCallRow extends Row<typeof webhookCall> {}

const webhookCallSchema = new Schema<WebhookCallRow>(webhookCall, rowOptions);
webhookCallSchema.index({ ended_at: 1, due_at: 1 });
webhookCallSchema.index({ ended_at: 1 }, { expireAfterSeconds: 8 * 86_400, name: 'forget' });
// Operators see those that failed, which are few.
webhookCallSchema.index({ created_at: -1, _id: -1 }, { partialFilterExpression: { failure: { $gt: '' } } });

export const webhookCalls = collection<WebhookCallRow>('webhook_calls', webhookCallSchema);

/** Puts a call into the outbox, due at once; one with the same id is not inserted again. */
export async function insertWebhookCall(db: Db, id: string, body: string): Promise<void> {
  const now = new Date();
  try {
    await webhookCalls(db).create({ _id: id, body, created_at: now, due_at: now });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Whether another call whose id begins so is neither accepted nor given up. @param prefix ends with a dot */
export async function hasOpenWebhookCall(db: Db, prefix: string, id: string): Promise<boolean> {
  const others = { ...withPrefix(prefix), $ne: id };
  return (await webhookCalls(db).exists({ _id: others, ended_at: null })) !== null;
}

/** Takes the lease of the call that has been due for longest. @returns null when none is due */
export function claimWebhookCall(db: Db, leaseMs: number): Promise<WebhookCallRow | null> {
  return takeLease(webhookCalls(db), { ended_at: null }, leaseMs, {
    field: 'due_at',
    update: { $inc: { attempts: 1 } },
    sort: { due_at: 1 },
  });
}

/** Records that a call was accepted, or that it is given up. @param failure why it is given up */
export async function endWebhookCall(db: Db, call: WebhookCallRow, failure: string | null): Promise<void> {
  await webhookCalls(db).updateOne(heldBy(call), { $set: { ended_at: new Date(), failure } });
}

/** Releases a call to be tried again. @param failure why this attempt failed */
export async function delayWebhookCall(
  db: Db,
  call: WebhookCallRow,
  delayMs: number,
  failure: string,
): Promise<void> {
  await webhookCalls(db).updateOne(heldBy(call), {
    $set: { due_at: new Date(Date.now() + delayMs), failure },
  });
}

/** @returns the newest calls whose last attempt failed, given up or not */
export function listFailedWebhookCalls(db: Db, limit: number): Promise<WebhookCallRow[]> {
  return webhookCalls(db)
    .find({ failure: { $gt: '' } })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean();
}

/** Makes a call that was given up due again. @returns false if it is not given up, or is gone */
export async function sendWebhookCallAgain(db: Db, id: string): Promise<boolean> {
  const { modifiedCount } = await webhookCalls(db).updateOne(
    { _id: id, ended_at: { $ne: null }, failure: { $gt: '' } },
    { $set: { ended_at: null, due_at: new Date() } },
  );
  return modifiedCount === 1;
}

/** Matches a call until it is claimed again: the claim increases `attempts`. */
const heldBy = ({ _id, attempts }: WebhookCallRow) => ({ _id, attempts, ended_at: null });
