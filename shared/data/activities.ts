import type { ActivityKind } from '../contract/index.ts';
import type { ActivityRow } from './activity.ts';
import { type Data, newId } from './connect.ts';

/** Lines of the log that a seller is shown. */
const shown = 200;

/**
 * Notes what a seller did, unless they keep no activity log.
 * @param from the device and the network address that it came from
 */
export async function noteActivity(
  data: Data,
  userId: string,
  kind: ActivityKind,
  { device, address }: Pick<ActivityRow, 'device' | 'address'>,
): Promise<void> {
  if (!(await keepsLog(data, userId))) return;
  const line = await data.activities.create({
    _id: newId(),
    user_id: userId,
    kind,
    device,
    address,
    at: new Date(),
  });
  // Turned off, or the account deleted, while it was written: then the emptying may have missed it.
  if (!(await keepsLog(data, userId))) await data.activities.deleteOne({ _id: line._id });
}

async function keepsLog(data: Data, userId: string): Promise<boolean> {
  return (await data.userSettings.exists({ _id: userId, activity_logging: true })) !== null;
}

/** A seller's log, newest first. @param limit lines at most */
export async function listActivities(data: Data, userId: string, limit = shown): Promise<ActivityRow[]> {
  return data.activities.find({ user_id: userId }).sort({ at: -1, _id: -1 }).limit(limit).lean();
}

/** Empties a seller's log. */
export async function clearActivities(data: Data, userId: string): Promise<void> {
  await data.activities.deleteMany({ user_id: userId });
}
