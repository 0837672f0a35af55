import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { releaseLease, takeLease } from '../lease.ts';
import { date, nullableDate, nullableText, type Row, rowOptions, text } from '../row.ts';

const stripeEvent = {
  /** Stripe's id: a second delivery finds the row. */
  _id: text,
  type: text,
  customer: nullableText,
  /** The charge that the event is about, when it names no customer (a dispute). */
  charge: nullableText,
  received_at: date,
  /** The lease of the process that handles it. */
  lease_until: nullableDate,
  /** How often it was tried. */
  tries: { type: Number, default: 0 },
  /** When upkeep tries again after a failure. */
  due_at: nullableDate,
  /** When it was handled. The row is removed later (KEEP_EVENTS_DAYS); Stripe repeats an event for three days at most. */
  handled_at: nullableDate,
};

/** An event from Stripe, stored before it is handled. Only the customer that it is about is used, never its content. */
export interface StripeEventRow extends Row<typeof stripeEvent> {}

const stripeEventSchema = new Schema<StripeEventRow>(stripeEvent, rowOptions);
stripeEventSchema.index({ handled_at: 1, received_at: 1 });

export const stripeEvents = collection<StripeEventRow>('stripe_events', stripeEventSchema);

/** Stores an event. Idempotent: an event that Stripe delivers twice is stored once. */
export async function recordStripeEvent(
  db: Db,
  event: Pick<StripeEventRow, '_id' | 'type' | 'customer' | 'charge'>,
): Promise<void> {
  try {
    await stripeEvents(db).create({ ...event, received_at: new Date() });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Takes the lease of an event. @returns null when it was handled, or somebody else holds its lease */
export function claimStripeEvent(db: Db, id: string, leaseMs: number): Promise<StripeEventRow | null> {
  const unhandled = { _id: id, handled_at: null };
  return takeLease(stripeEvents(db), unhandled, leaseMs, { update: { $inc: { tries: 1 } } });
}

/** Records that an event was handled. */
export async function markStripeEventHandled(db: Db, id: string): Promise<void> {
  await stripeEvents(db).updateOne({ _id: id }, { $set: { handled_at: new Date() } });
}

/** Releases the lease of an event whose handling failed. @param dueAt when upkeep tries again */
export async function postponeStripeEvent(
  db: Db,
  { _id, tries }: Pick<StripeEventRow, '_id' | 'tries'>,
  dueAt: Date,
): Promise<void> {
  await releaseLease(stripeEvents(db), { _id, tries }, { update: { $set: { due_at: dueAt } } });
}

/** @returns events received before a moment that were not handled and are due, the oldest first */
export function findDueStripeEvents(db: Db, before: Date, limit: number): Promise<StripeEventRow[]> {
  return stripeEvents(db)
    .find({
      handled_at: null,
      received_at: { $lt: before },
      $or: [{ due_at: null }, { due_at: { $lte: new Date() } }],
    })
    .sort({ received_at: 1 })
    .limit(limit)
    .lean();
}

/** @returns events that were not handled, the oldest first */
export function listUnhandledStripeEvents(db: Db, limit: number): Promise<StripeEventRow[]> {
  return stripeEvents(db).find({ handled_at: null }).sort({ received_at: 1 }).limit(limit).lean();
}

/** @returns how many events are not handled, and when the oldest of them was received; null if there is none */
export async function countUnhandledStripeEvents(db: Db): Promise<{ count: number; since: Date | null }> {
  const unhandled = { handled_at: null };
  const [count, oldest] = await Promise.all([
    stripeEvents(db).countDocuments(unhandled),
    stripeEvents(db).findOne(unhandled).sort({ received_at: 1 }).select({ received_at: 1 }).lean(),
  ]);
  return { count, since: oldest?.received_at ?? null };
}
