import { limits } from '#contract';
import { hashSecret } from './account-tokens.ts';
import type { Db } from './connect.ts';

/** How a browser is known to an account. @param secret what its cookie holds */
export function deviceKey(secret: string, sellerId: string): string {
  return hashSecret(`${secret} ${sellerId}`);
}

/** Whether a browser is known. @param key see `deviceKey` */
export async function isKnownDevice(db: Db, key: string): Promise<boolean> {
  return (await db.knownDevices.exists({ _id: key, expires_at: { $gt: new Date() } })) !== null;
}

/**
 * Notes that a browser is the owner's. Of too many those go first that never came again: a program that keeps no cookies
 * is a new one each time, and must not push the owner's browsers out.
 */
export async function rememberDevice(db: Db, key: string, sellerId: string): Promise<void> {
  const now = new Date();
  const expiry = new Date(now.getTime() + limits.knownDeviceDays * 86_400_000);
  const known = await db.knownDevices.updateOne(
    { _id: key },
    { $set: { last_used_at: now, expires_at: expiry } },
  );
  if (known.matchedCount > 0) return;
  await db.knownDevices.updateOne(
    { _id: key },
    { $setOnInsert: { user_id: sellerId, created_at: now, last_used_at: null, expires_at: expiry } },
    { upsert: true },
  );
  const tooMany = await db.knownDevices
    .find({ user_id: sellerId })
    .sort({ last_used_at: -1, created_at: -1 })
    .skip(limits.knownDevices)
    .select({ _id: 1 })
    .lean();
  if (tooMany.length > 0) await db.knownDevices.deleteMany({ _id: { $in: tooMany.map(({ _id }) => _id) } });
}

/** Forgets the browsers of an account: one that somebody else signed in with is among them, perhaps. */
export async function forgetDevices(db: Db, sellerId: string): Promise<void> {
  await db.knownDevices.deleteMany({ user_id: sellerId });
}
