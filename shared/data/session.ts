import { type Model, Schema } from 'mongoose';

/** One sign-in: the token's `sid` names it, and the token is worth nothing without it. */
export interface SessionRow {
  _id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
}

export type SessionModel = Model<SessionRow>;

export const sessionSchema = new Schema<SessionRow, SessionModel>(
  {
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
sessionSchema.index({ user_id: 1 });
