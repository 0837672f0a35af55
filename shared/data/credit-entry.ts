import { type Model, Schema } from 'mongoose';
import { type CreditEntryKind, creditEntryKinds } from '#contract';
import { type PaidPeriod, paidPeriodSchema } from './profile.ts';

/** One line of the ledger that people read. */
export interface CreditEntryRow {
  _id: string;
  profile: string;
  kind: CreditEntryKind;
  /** The generation's id, or `invoice:<id>`. */
  key: string;
  /** Images. */
  count: number;
  /** The paid period of a grant, or the one that came after what was forfeited. */
  period: PaidPeriod | null;
  at: Date;
}

export type CreditEntryModel = Model<CreditEntryRow>;

export const creditEntrySchema = new Schema<CreditEntryRow, CreditEntryModel>(
  {
    _id: { type: String, required: true },
    profile: { type: String, required: true },
    kind: { type: String, enum: creditEntryKinds, required: true },
    key: { type: String, required: true },
    count: { type: Number, required: true },
    period: { type: paidPeriodSchema, default: null },
    at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
creditEntrySchema.index({ key: 1, kind: 1 }, { unique: true });
creditEntrySchema.index({ profile: 1, at: -1 });
