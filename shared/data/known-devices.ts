import { Schema } from 'mongoose';
import { limits } from '#contract';
import { hashSecret } from './account-tokens.ts';
import { collection } from './collection.ts';
import type { Db } from './db.ts';
import { date, nullableDate, type Row, rowOptions, text } from './row.ts';

const knownDevice = {
  /** SHA-256 of the secret in its cookie and the account's id: one cookie can be known to several accounts. */
  _id: text,
  user_id: text,
  created_at: date,
  /** Whether a code was given in it: only then are wrong codes in it counted apart from those of strangers. */
  with_code: { type: Boolean, default: false },
  /** Null until it signs in again. */
  last_used_at: nullableDate,
  expires_at: date,
};

/** A browser that has signed in to an account, or has opened a link in a mail to its owner. */
export interface KnownDeviceRow extends Row<typeof knownDevice> {}

const knownDeviceSchema = new Schema<KnownDeviceRow>(knownDevice, rowOptions);
knownDeviceSchema.index({ user_id: 1, last_used_at: -1, created_at: -1 });
knownDeviceSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const knownDevices = collection<KnownDeviceRow>('known_devices', knownDeviceSchema);

/** The key under which an account knows a browser. @param secret the value of its cookie */
export function deviceKey(secret: string, sellerId: string): string {
  return hashSecret(`${secret} ${sellerId}`);
}

/** Whether a browser is known. @param key see `deviceKey` */
export async function isKnownDevice(db: Db, key: string): Promise<boolean> {
  return (await knownDevices(db).exists({ _id: key, expires_at: { $gt: new Date() } })) !== null;
}

/** Whether a code of the account was given in a known browser. @param key see `deviceKey` */
export async function isDeviceWithCode(db: Db, key: string): Promise<boolean> {
  return (await knownDevices(db).exists({ _id: key, with_code: true })) !== null;
}

/**
 * Records that an account knows a browser. If there are too many, those that never signed in again are removed first: a
 * program without cookies counts as a new browser each time, and must not displace the owner's.
 * @param withCode whether it signs in with a code now
 */
export async function rememberDevice(
  db: Db,
  key: string,
  sellerId: string,
  withCode: boolean,
): Promise<void> {
  const now = new Date();
  const expiry = new Date(now.getTime() + limits.knownDeviceDays * 86_400_000);
  const known = await knownDevices(db).updateOne(
    { _id: key },
    { $set: { last_used_at: now, expires_at: expiry, ...(withCode && { with_code: true }) } },
  );
  if (known.matchedCount > 0) return;
  await knownDevices(db).updateOne(
    { _id: key },
    {
      $setOnInsert: {
        ...{ user_id: sellerId, created_at: now, last_used_at: null, expires_at: expiry },
        with_code: withCode,
      },
    },
    { upsert: true },
  );
  const tooMany = await knownDevices(db)
    .find({ user_id: sellerId })
    .sort({ last_used_at: -1, created_at: -1 })
    .skip(limits.knownDevices)
    .select({ _id: 1 })
    .lean();
  if (tooMany.length > 0) await knownDevices(db).deleteMany({ _id: { $in: tooMany.map(({ _id }) => _id) } });
}

/** Removes all known devices of an account, because one of them may be somebody else's. */
export async function forgetDevices(db: Db, sellerId: string): Promise<void> {
  await knownDevices(db).deleteMany({ user_id: sellerId });
}

/** @returns the devices that are known to an account, in no order */
export function listDevices(db: Db, sellerId: string): Promise<KnownDeviceRow[]> {
  return knownDevices(db).find({ user_id: sellerId }).lean();
}
