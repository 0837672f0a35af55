import { type Model, Schema } from 'mongoose';
import { type ActivityKind, activityKinds, limits } from '#contract';

/** One line of a seller's activity log. */
export interface ActivityRow {
  _id: string;
  user_id: string;
  kind: ActivityKind;
  device: string;
  address: string;
  at: Date;
}

export type ActivityModel = Model<ActivityRow>;

const text = { type: String, required: true };

export const activitySchema = new Schema<ActivityRow, ActivityModel>(
  {
    _id: text,
    user_id: text,
    kind: { type: String, enum: activityKinds, required: true },
    device: text,
    address: text,
    at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
activitySchema.index({ user_id: 1, at: -1 });
activitySchema.index({ at: 1 }, { expireAfterSeconds: limits.activityDays * 86_400 });
