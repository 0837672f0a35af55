import { type Model, Schema } from 'mongoose';

/** An event of Stripe's: kept before anything else is done about it, and trusted only for whom it is about. */
export interface StripeEventRow {
  /** Stripe's id: a second delivery finds it. */
  _id: string;
  type: string;
  customer: string | null;
  /** The charge that it is about where it names no customer, such as a dispute. */
  charge: string | null;
  received_at: Date;
  /** Until when somebody sees to it. */
  busy_until: Date | null;
  /** How often somebody began to see to it, and when upkeep tries again after a failure. */
  tries: number;
  due_at: Date | null;
  /** When it was seen to; it is forgotten a month later, Stripe repeats one for three days at most. */
  handled_at: Date | null;
}

export type StripeEventModel = Model<StripeEventRow>;

export const stripeEventSchema = new Schema<StripeEventRow, StripeEventModel>(
  {
    _id: { type: String, required: true },
    type: { type: String, required: true },
    customer: { type: String, default: null },
    charge: { type: String, default: null },
    received_at: { type: Date, required: true },
    busy_until: { type: Date, default: null },
    tries: { type: Number, default: 0 },
    due_at: { type: Date, default: null },
    handled_at: { type: Date, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
stripeEventSchema.index({ handled_at: 1, received_at: 1 });
stripeEventSchema.index({ handled_at: 1 }, { expireAfterSeconds: 30 * 86_400, name: 'forget' });
