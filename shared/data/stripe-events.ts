import { Schema } from 'mongoose';
import { date, nullableDate, nullableText, type Row, rowOptions, text } from './row.ts';

const stripeEvent = {
  /** Stripe's id: a second delivery finds the row. */
  _id: text,
  type: text,
  customer: nullableText,
  /** The charge that the event is about, where it names no customer (a dispute). */
  charge: nullableText,
  received_at: date,
  /** The lease of whoever processes it. */
  lease_until: nullableDate,
  /** How often processing has begun. */
  tries: { type: Number, default: 0 },
  /** When upkeep tries again after a failure. */
  due_at: nullableDate,
  /** When it was processed. The row is removed a month later; Stripe repeats an event for three days at most. */
  handled_at: nullableDate,
};

/** An event from Stripe, stored before it is processed. Only whom it is about is used, never its content. */
export interface StripeEventRow extends Row<typeof stripeEvent> {}

export const stripeEventSchema = new Schema<StripeEventRow>(stripeEvent, rowOptions);
stripeEventSchema.index({ handled_at: 1, received_at: 1 });
stripeEventSchema.index({ handled_at: 1 }, { expireAfterSeconds: 30 * 86_400, name: 'forget' });
