import { type Model, Schema } from 'mongoose';

export const creditEntryKinds = ['grant', 'settle', 'release', 'forfeit'] as const;
export type CreditEntryKind = (typeof creditEntryKinds)[number];

/** One line of the ledger that people read. */
export interface CreditEntryRow {
  _id: string;
  profile: string;
  kind: CreditEntryKind;
  /** The generation's id, or the grant's key. */
  key: string;
  /** Images. */
  count: number;
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
    at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
creditEntrySchema.index({ key: 1, kind: 1 }, { unique: true });
creditEntrySchema.index({ profile: 1, at: -1 });
