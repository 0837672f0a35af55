import { type Model, Schema } from 'mongoose';

/** One sign-in: the token's `sid` names it, and the token is worth nothing without it. */
export interface SessionRow {
  _id: string;
  user_id: string;
  /** Browser and system in words. */
  device: string;
  /** The network address that it was begun from. */
  address: string;
  /** Minutes without activity after which it ends (the seller's `session_timeout`). */
  idle_minutes: number;
  last_seen_at: Date;
  created_at: Date;
  expires_at: Date;
}

export type SessionModel = Model<SessionRow>;

const text = { type: String, required: true };
const date = { type: Date, required: true };

export const sessionSchema = new Schema<SessionRow, SessionModel>(
  {
    _id: text,
    user_id: text,
    device: text,
    address: text,
    idle_minutes: { type: Number, required: true },
    last_seen_at: date,
    created_at: date,
    expires_at: date,
  },
  { versionKey: false, strict: 'throw' },
);
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
sessionSchema.index({ user_id: 1 });
