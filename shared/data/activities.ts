import type { ActivityKind } from '#contract';
import type { ActivityRow } from './activity.ts';
import { type Db, newId } from './connect.ts';

/** Lines of the log that a seller is shown. */
const shown = 200;

/**
 * Notes what a seller did, unless they keep no activity log.
 * @param from the device and the network address that it came from
 */
export async function noteActivity(
  db: Db,
  sellerId: string,
  kind: ActivityKind,
  { device, address }: Pick<ActivityRow, 'device' | 'address'>,
): Promise<void> {
  if (!(await keepsLog(db, sellerId))) return;
  const line = await db.activities.create({
    _id: newId(),
    user_id: sellerId,
    kind,
    device,
    address,
    at: new Date(),
  });
  // Turned off, or the account deleted, while it was written: then the emptying may have missed it.
  if (!(await keepsLog(db, sellerId))) await db.activities.deleteOne({ _id: line._id });
}

async function keepsLog(db: Db, sellerId: string): Promise<boolean> {
  return (await db.userSettings.exists({ _id: sellerId, activity_logging: true })) !== null;
}

/** A seller's log, newest first. @param limit lines at most */
export async function listActivities(db: Db, sellerId: string, limit = shown): Promise<ActivityRow[]> {
  return db.activities.find({ user_id: sellerId }).sort({ at: -1, _id: -1 }).limit(limit).lean();
}

/** Empties a seller's log. */
export async function clearActivities(db: Db, sellerId: string): Promise<void> {
  await db.activities.deleteMany({ user_id: sellerId });
}
