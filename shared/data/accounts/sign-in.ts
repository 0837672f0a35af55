import { Schema } from 'mongoose';
import { limits } from '#contract';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, nullableDate, type Row, rowOptions, text } from '../row.ts';
import { hashSecret } from './account-tokens.ts';
import { countFactors, keepFactorsFrom, twoFactorFields } from './two-factor.ts';
import { type UserRow, users } from './users.ts';

/**
 * Marks the address of a sign-up as verified, as a compare-and-set on the sign-up: a newer one for the same address
 * invalidates it.
 * @param signUp the hash of the secret of the browser that signed up
 * @returns false when a newer sign-up replaced this one, or the address is verified already
 */
export async function markVerified(db: Db, sellerId: string, signUp: string): Promise<boolean> {
  const { modifiedCount } = await users(db).updateOne(
    { _id: sellerId, sign_up: signUp },
    { $set: { sign_up: null } },
  );
  if (modifiedCount === 0) return false;
  // If the process dies here, the next sign-in corrects the profile.
  await profiles(db).updateOne(
    { _id: sellerId },
    { $set: { email_verified: true, updated_at: new Date() }, $unset: { unreachable: 1 } },
  );
  return true;
}

/**
 * Sets a new password through a link in a mail. Following the link verifies the address as well. Second factors that
 * are younger than `limits.youngFactorDays` are removed: they may be those of a thief who knew the old password.
 * @returns the user after the write, and whether factors were removed; null when there is no such user
 */
export async function resetPassword(
  db: Db,
  sellerId: string,
  passwordHash: string,
): Promise<{ user: UserRow; factorsRemoved: boolean } | null> {
  const now = new Date();
  const before = await users(db)
    .findByIdAndUpdate(
      sellerId,
      [
        {
          $set: {
            // $literal: a hash begins with `$`, which would refer to a field.
            password_hash: { $literal: passwordHash },
            password_changed_at: now,
            sign_up: null,
            ...keepFactorsFrom(youngFactorsSince(now)),
          },
        },
      ],
      { updatePipeline: true, returnDocument: 'before' },
    )
    .lean();
  const user = before && (await users(db).findById(sellerId).lean());
  if (!user) return null;
  const turnedOff = before.two_factor !== null && user.two_factor === null;
  await profiles(db).updateOne(
    { _id: sellerId },
    {
      $set: { email_verified: true, updated_at: now, ...(turnedOff && twoFactorFields(false)) },
      // The link has arrived.
      $unset: { unreachable: 1 },
    },
  );
  return { user, factorsRemoved: countFactors(user) < countFactors(before) };
}

/** From when on two-factor sign-in is too young to stay when the owner resets the password. */
export function youngFactorsSince(now = new Date()): Date {
  return new Date(now.getTime() - limits.youngFactorDays * 86_400_000);
}

/**
 * Records a sign-in in the profile and copies the user's address into it.
 * @param user as it was read when the sign-in began
 * @returns the profile after the write, or null when the account is disabled or being deleted
 */
export async function recordSignIn(db: Db, user: Pick<UserRow, '_id' | 'email'>): Promise<ProfileRow | null> {
  const profile = await profiles(db)
    .findOneAndUpdate(
      { _id: user._id, deletion_asked_at: null, disabled_at: { $exists: false } },
      {
        $set: { last_login: new Date(), email_verified: true },
        $inc: { login_count: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
  if (!profile || profile.email === user.email) return profile;
  return copyUserEmail(db, profile);
}

/** Copies the user's address into the profile, after a change of address that was interrupted or has just happened. */
async function copyUserEmail(db: Db, profile: ProfileRow): Promise<ProfileRow> {
  const { _id, email } = profile;
  const user = await users(db).findById(_id).select({ email: 1 }).lean();
  if (!user || user.email === email) return profile;
  // A compare-and-set on the address that was read: a concurrent change of address writes its own.
  const corrected = await profiles(db)
    .findOneAndUpdate({ _id, email }, { $set: { email: user.email } }, { returnDocument: 'after' })
    .lean();
  return corrected ?? profile;
}

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
        user_id: sellerId,
        created_at: now,
        last_used_at: null,
        expires_at: expiry,
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
