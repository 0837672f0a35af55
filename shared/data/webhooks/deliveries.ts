import { createHash } from 'node:crypto';
import { Schema } from 'mongoose';
import { limits, sentEventNames, webhookDeliveryStates, webhookFailures } from '#contract';
import { collection } from '#shared/data/collection.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { takeLease } from '#shared/data/lease.ts';
import { date, nullableNumber, number, partOptions, type Row, rowOptions, text } from '#shared/data/row.ts';
import { freeEndpoints } from './endpoints.ts';

const webhookTry = {
  at: date,
  milliseconds: number,
  status: nullableNumber,
  failure: { type: String, enum: [...webhookFailures, null], default: null },
  /** The beginning of what it answered. */
  reply: { type: String, default: '' },
} as const;

const delivery = {
  /** Made from endpoint and event, so that an event is recorded once, however often that is tried. */
  _id: text,
  /** The seller's id. */
  profile: text,
  endpoint: text,
  /** The header `webhook-id`: the same for all endpoints and tries. */
  event: text,
  type: { type: String, enum: sentEventNames, required: true },
  /** What the event is about: events of one object are sent in order. */
  object: text,
  /** What is sent and signed, byte for byte. */
  body: text,
  created_at: date,
  state: { type: String, enum: webhookDeliveryStates, required: true },
  /** When it may be tried; while it is being sent, the end of its lease. */
  due_at: date,
  /** Tries since it was asked for, by the event or by the seller. */
  attempts: number,
  /** The last tries, the oldest first. */
  tries: { type: [new Schema(webhookTry, partOptions)], required: true },
  remove_at: date,
} as const;

/** One event on its way to one endpoint (docs/decisions/0136-webhooks.md). */
export interface WebhookDeliveryRow extends Row<typeof delivery> {}

/** What came of one try. */
export type WebhookTry = WebhookDeliveryRow['tries'][number];

const deliverySchema = new Schema<WebhookDeliveryRow>(delivery, rowOptions);
deliverySchema.index({ endpoint: 1, state: 1, due_at: 1 });
deliverySchema.index({ state: 1, due_at: 1 });
deliverySchema.index({ endpoint: 1, created_at: -1, _id: -1 });
deliverySchema.index({ profile: 1, object: 1, created_at: 1 });
deliverySchema.index({ remove_at: 1 }, { expireAfterSeconds: 0 });

export const webhookDeliveries = collection<WebhookDeliveryRow>(
  'webhook_deliveries',
  deliverySchema,
  'beside',
);

/** How long a delivery is kept, in ms. */
const keptMs = limits.webhookLogDays * 86_400_000;

/** Tries of a delivery that are kept. */
const keptTries = 10;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a delivery is made of. */
export type NewDelivery = Pick<
  WebhookDeliveryRow,
  'profile' | 'endpoint' | 'event' | 'type' | 'object' | 'body'
>;

/** Records an event for an endpoint, due at once. Idempotent. @returns it; null when it was recorded before */
export async function insertDelivery(db: Db, parts: NewDelivery): Promise<WebhookDeliveryRow | null> {
  const now = new Date();
  const row: WebhookDeliveryRow = {
    ...parts,
    _id: hashOf(`${parts.endpoint} ${parts.event}`).slice(0, 24),
    created_at: now,
    state: 'waiting',
    due_at: now,
    attempts: 0,
    tries: [],
    remove_at: new Date(now.getTime() + keptMs),
  };
  try {
    await webhookDeliveries(db).create(row);
    return row;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/**
 * Takes the delivery of an endpoint that has been due for longest.
 * @returns null when none is due
 */
export function claimDelivery(db: Db, endpoint: string, leaseMs: number): Promise<WebhookDeliveryRow | null> {
  return takeLease(webhookDeliveries(db), { endpoint, state: 'waiting' }, leaseMs, {
    field: 'due_at',
    update: { $inc: { attempts: 1 } },
    sort: { due_at: 1 },
  });
}

/** Matches a delivery until it is claimed again, or its seller has it sent again. */
const heldBy = ({ _id, attempts, due_at }: WebhookDeliveryRow) => ({
  _id,
  attempts,
  due_at,
  state: 'waiting' as const,
});

/** @returns when an earlier event about the same object is due, which this one has to wait for; null for none */
export async function earlierDue(
  db: Db,
  { profile, object, endpoint, created_at }: WebhookDeliveryRow,
): Promise<Date | null> {
  const earlier = await webhookDeliveries(db)
    .findOne({ profile, object, endpoint, state: 'waiting', created_at: { $lt: created_at } })
    .sort({ created_at: 1 })
    .select({ due_at: 1 })
    .lean();
  return earlier?.due_at ?? null;
}

/** Gives a delivery back without a try. */
export async function putOff(db: Db, delivery: WebhookDeliveryRow, dueAt: Date): Promise<void> {
  await webhookDeliveries(db).updateOne(heldBy(delivery), {
    $set: { due_at: dueAt, attempts: delivery.attempts - 1 },
  });
}

/** Records a try. @param next `delivered`, `failed`, or when it is tried again */
export async function recordTry(
  db: Db,
  delivery: WebhookDeliveryRow,
  made: WebhookTry,
  next: 'delivered' | 'failed' | Date,
): Promise<void> {
  const tries = [...delivery.tries, made].slice(-keptTries);
  const outcome = next instanceof Date ? { due_at: next } : { state: next };
  await webhookDeliveries(db).updateOne(heldBy(delivery), { $set: { ...outcome, tries } });
}

/** Ends what waits for an endpoint that is off. */
export async function endWaiting(db: Db, endpoint: string): Promise<void> {
  await webhookDeliveries(db).updateMany({ endpoint, state: 'waiting' }, { $set: { state: 'failed' } });
}

/** When something of an endpoint is due next; null when nothing waits. */
export async function nextDue(db: Db, endpoint: string): Promise<Date | null> {
  const next = await webhookDeliveries(db)
    .findOne({ endpoint, state: 'waiting' })
    .sort({ due_at: 1 })
    .select({ due_at: 1 })
    .lean();
  return next?.due_at ?? null;
}

/**
 * Finds endpoints that a worker could send to now, and to which something has been due since before a time. What waits for others
 * hides nothing, however much it is.
 * @param limit how many endpoints are found, and how many deliveries are read at a time
 * @returns each with the time since when, the oldest first
 */
export async function findOverdue(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ endpoint: string; since: Date }[]> {
  const found: { endpoint: string; since: Date }[] = [];
  const seen: string[] = [];
  while (found.length < limit) {
    const rows = await webhookDeliveries(db)
      .find({ state: 'waiting', due_at: { $lt: before }, endpoint: { $nin: seen } })
      .sort({ due_at: 1 })
      .limit(limit)
      .select({ endpoint: 1, due_at: 1 })
      .lean();
    if (rows.length === 0) break;
    const since = new Map<string, Date>();
    for (const { endpoint, due_at } of rows) if (!since.has(endpoint)) since.set(endpoint, due_at);
    const free = new Set(await freeEndpoints(db, [...since.keys()]));
    for (const [endpoint, at] of since) if (free.has(endpoint)) found.push({ endpoint, since: at });
    seen.push(...since.keys());
  }
  return found.slice(0, limit);
}

/** @returns how many deliveries wait, and since when the oldest has been due that a worker could send now */
export async function waitingDeliveries(db: Db): Promise<{ count: number; overdueSince: Date | null }> {
  const [count, [overdue]] = await Promise.all([
    webhookDeliveries(db).countDocuments({ state: 'waiting' }),
    findOverdue(db, new Date(), 100),
  ]);
  return { count, overdueSince: overdue?.since ?? null };
}

/**
 * A page of the deliveries of an endpoint, newest first.
 * @param before the last row of the previous page
 */
export function listDeliveries(
  db: Db,
  endpoint: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<WebhookDeliveryRow[]> {
  const older = before && {
    created_at: { $lte: before.created_at },
    $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
  };
  return webhookDeliveries(db)
    .find({ endpoint, ...older })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean<WebhookDeliveryRow[]>();
}

/** Makes a delivery of an endpoint due again, with all of its tries. @returns it; null when there is none */
export function sendDeliveryAgain(db: Db, endpoint: string, id: string): Promise<WebhookDeliveryRow | null> {
  return webhookDeliveries(db)
    .findOneAndUpdate(
      { _id: id, endpoint },
      { $set: { state: 'waiting', due_at: new Date(), attempts: 0 } },
      { returnDocument: 'after' },
    )
    .lean<WebhookDeliveryRow>();
}

/** Removes what was recorded for an endpoint. */
export async function removeDeliveriesOf(db: Db, endpoint: string): Promise<void> {
  await webhookDeliveries(db).deleteMany({ endpoint });
}

/** Removes what was recorded for all endpoints of a seller. */
export async function removeDeliveriesOfSeller(db: Db, sellerId: string): Promise<void> {
  await webhookDeliveries(db).deleteMany({ profile: sellerId });
}

/** Removes what was recorded about an object of a seller, which is deleted for ever. */
export async function removeDeliveriesAbout(db: Db, sellerId: string, object: string): Promise<void> {
  await webhookDeliveries(db).deleteMany({ profile: sellerId, object });
}

/** A seller's deliveries, by what they are about. */
export function deliveriesOf(db: Db, sellerId: string): AsyncIterable<WebhookDeliveryRow> {
  return webhookDeliveries(db)
    .find({ profile: sellerId })
    .sort({ object: 1, created_at: 1 })
    .lean<WebhookDeliveryRow[]>()
    .cursor();
}
