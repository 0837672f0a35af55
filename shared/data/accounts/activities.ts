import { Schema } from 'mongoose';
import { type ActivityKind, activityKinds } from '#contract';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import { type Db, newId } from '../db.ts';
import { date, type Row, rowOptions, text } from '../row.ts';
import { userSettings } from './user-settings.ts';

const activity = {
  _id: text,
  user_id: text,
  kind: { type: String, enum: activityKinds, required: true },
  device: text,
  address: text,
  at: date,
};

/** One line of a seller's activity log. */
export interface ActivityRow extends Row<typeof activity> {}

const activitySchema = new Schema<ActivityRow>(activity, rowOptions);
activitySchema.index({ user_id: 1, at: -1, _id: -1 });
activitySchema.index({ at: 1 }, { name: 'by_age' });

export const activities = collection<ActivityRow>('activities', activitySchema);

/** Lines of the log that a seller is shown at most. */
const shown = 200;

/**
 * Adds a line to a seller's activity log, unless they have turned it off.
 * @param from the device and the IP address of the request
 */
export async function recordActivity(
  db: Db,
  sellerId: string,
  kind: ActivityKind,
  { device, address }: Pick<ActivityRow, 'device' | 'address'>,
): Promise<void> {
  if (!(await keepsLog(db, sellerId))) return;
  const line = await activities(db).create({
    _id: newId(),
    user_id: sellerId,
    kind,
    device,
    address,
    at: new Date(),
  });
  // If the log was turned off or the account deleted meanwhile, its emptying may have missed this line.
  if (!(await keepsLog(db, sellerId))) await removeRow(activities(db), { _id: line._id });
}

async function keepsLog(db: Db, sellerId: string): Promise<boolean> {
  return (await userSettings(db).exists({ _id: sellerId, activity_logging: true })) !== null;
}

/** A seller's log, newest first. @param limit lines at most */
export async function listActivities(db: Db, sellerId: string, limit = shown): Promise<ActivityRow[]> {
  return activities(db).find({ user_id: sellerId }).sort({ at: -1, _id: -1 }).limit(limit).lean();
}

/** Empties a seller's log. */
export async function clearActivities(db: Db, sellerId: string): Promise<void> {
  await activities(db).deleteMany({ user_id: sellerId });
}

/** A seller's log, oldest line first. */
export function activitiesOf(db: Db, sellerId: string): AsyncIterable<ActivityRow> {
  return activities(db).find({ user_id: sellerId }).sort({ at: 1 }).lean().cursor();
}
