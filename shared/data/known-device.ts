import { type Model, Schema } from 'mongoose';

/** A browser that has signed in to an account, or has shown that its mailbox is theirs. */
export interface KnownDeviceRow {
  /** SHA-256 of the secret in its cookie and the account's id: one cookie stands for a browser in several accounts. */
  _id: string;
  user_id: string;
  created_at: Date;
  /** Null until it signs in once more. */
  last_used_at: Date | null;
  expires_at: Date;
}

export type KnownDeviceModel = Model<KnownDeviceRow>;

const date = { type: Date, required: true };

export const knownDeviceSchema = new Schema<KnownDeviceRow, KnownDeviceModel>(
  {
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    created_at: date,
    last_used_at: { type: Date, default: null },
    expires_at: date,
  },
  { versionKey: false, strict: 'throw' },
);
knownDeviceSchema.index({ user_id: 1, last_used_at: -1, created_at: -1 });
knownDeviceSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
