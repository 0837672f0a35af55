import { Schema } from 'mongoose';
import { type BillingOrder, placeBillingOrder } from '#shared/data/profiles/billing-orders.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import {
  date,
  nullableDate,
  nullableText,
  number,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
} from '../row.ts';
import { endSessionsOf } from './sessions.ts';

/** A credential of WebAuthn that can be found without an address, and that asks who holds it for a PIN or a fingerprint. */
const passkey = {
  /** What the seller's requests name it by. */
  id: text,
  /** The credential's id, in base64url. */
  credential: text,
  /** Its public key: COSE, in base64url. */
  public_key: text,
  /** How often it was used, as it says itself; always 0 for those that are synchronised between devices. */
  counter: number,
  /** How a browser reaches it, such as `internal` or `usb`. */
  transports: [String],
  name: text,
  created_at: date,
  last_used_at: nullableDate,
};

export interface PasskeyRow extends Row<typeof passkey> {}

const user = {
  _id: text,
  email: text,
  /** Argon2id with its parameters and salt. */
  password_hash: text,
  password_changed_at: date,
  /** When the seller last chose to keep it although it was old. Absent before that. */
  password_kept_at: { type: Date, ...optional },
  /** SHA-256 of the secret of the browser that signed up; null once the address is verified. */
  sign_up: nullableText,
  /** The factors besides the password: at least one. In force once the profile says `two_factor_enabled`. */
  two_factor: {
    type: new Schema(
      {
        /** Of the authenticator app (RFC 6238): Base32, sealed for the seller's id (shared/platform/seal.ts). Null without one. */
        secret: nullableText,
        /** Time step of the last accepted code: codes of this and earlier steps are refused. */
        last_step: number,
        /** When the app was added to a passkey; absent if two-factor sign-in was turned on with it. */
        app_since: { type: Date, ...optional },
        passkeys: [new Schema(passkey, partOptions)],
        /** Hashes of the unused recovery codes. */
        recovery_codes: [String],
        /** When it was turned on. */
        since: date,
      },
      partOptions,
    ),
    default: null,
  },
  /** Names the second factors: another name once one of them was removed. Null without any. */
  two_factor_id: nullableText,
  /** An operator's removal of two-factor sign-in, which waits (docs/decisions/0087-factors.md). */
  two_factor_removal: {
    type: new Schema(
      {
        asked_at: date,
        due_at: date,
        /** When upkeep began to remove it; null while it waits. */
        begun_at: nullableDate,
      },
      partOptions,
    ),
    default: null,
  },
  /** By what authenticators know the account: random, so that it says nothing about the seller. Null before its first passkey. */
  passkey_user: nullableText,
  /** A secret that a first code has not confirmed yet, sealed in the same way. */
  two_factor_setup: { type: new Schema({ secret: text, at: date }, partOptions), default: null },
  /** The last undo of an address change: undo links that were made within this time no longer work. */
  undone: { type: new Schema({ from: date, to: date }, partOptions), default: null },
  created_at: date,
};

/** The credentials of an account. `_id` is the seller's id. */
export interface UserRow extends Omit<Row<typeof user>, 'two_factor'> {
  two_factor: TwoFactorRow | null;
}

/** mongoose does not infer a list within a part. */
type TwoFactorRow = Omit<NonNullable<Row<typeof user>['two_factor']>, 'passkeys'> & {
  passkeys?: PasskeyRow[];
};

const userSchema = new Schema<UserRow>(user, rowOptions);
userSchema.index({ email: 1 }, { unique: true });
// A starting server looks for secrets that are not sealed with the present key. Few sellers have one.
userSchema.index(
  { 'two_factor.secret': 1 },
  { partialFilterExpression: { 'two_factor.secret': { $gt: '' } } },
);
// A passkey is of one account, and signs in to it without an address.
userSchema.index(
  { 'two_factor.passkeys.credential': 1 },
  { unique: true, partialFilterExpression: { 'two_factor.passkeys.credential': { $gt: '' } } },
);
// Upkeep looks for accounts whose address was not verified in time, which are few.
userSchema.index({ password_changed_at: 1 }, { partialFilterExpression: { sign_up: { $gt: '' } } });

export const users = collection<UserRow>('users', userSchema);

// Upkeep looks for removals of two-factor sign-in, which are few.
userSchema.index(
  { 'two_factor_removal.due_at': 1 },
  { partialFilterExpression: { 'two_factor_removal.due_at': { $gt: new Date(0) } } },
);

/** @returns the user with this id, or null */
export function findUser(db: Db, sellerId: string): Promise<UserRow | null> {
  return users(db).findById(sellerId).lean();
}

/** @returns the user with this address, verified or not, or null */
export function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  return users(db).findOne({ email }).lean();
}

/** @returns the users with these addresses */
export function findUsersByEmail(db: Db, emails: readonly string[]): Promise<UserRow[]> {
  return users(db)
    .find({ email: { $in: [...emails] } })
    .lean();
}

/**
 * @param signUp the hash of the secret of the browser that signed up
 * @returns the user if it is unverified and this is its newest sign-up, else null
 */
export function findUserBySignUp(db: Db, sellerId: string, signUp: string): Promise<UserRow | null> {
  return users(db).findOne({ _id: sellerId, sign_up: signUp }).lean();
}

/** @returns whether an account has this address, verified or not */
export async function hasUserWithEmail(db: Db, email: string): Promise<boolean> {
  return (await users(db).exists({ email })) !== null;
}

/** @returns whether an account has this address and has verified it */
export async function hasVerifiedUserWithEmail(db: Db, email: string): Promise<boolean> {
  return (await users(db).exists({ email, sign_up: null })) !== null;
}

/**
 * Sets a new password, as a compare-and-set on the old one.
 * @param user as it was read when its password was checked
 * @returns the user after the write, or null when the password has changed since
 */
export async function setPassword(
  db: Db,
  user: Pick<UserRow, '_id' | 'password_hash'>,
  passwordHash: string,
): Promise<UserRow | null> {
  return users(db)
    .findOneAndUpdate(
      { _id: user._id, password_hash: user.password_hash },
      { $set: { password_hash: passwordHash, password_changed_at: new Date() } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Records that a seller keeps a password although it is old. Where it must be changed, that changes nothing. */
export async function keepPassword(db: Db, sellerId: string): Promise<void> {
  await users(db).updateOne({ _id: sellerId }, { $set: { password_kept_at: new Date() } });
}

/** Replaces a password hash. Does not count as a change of the password: its age and links in mails stay. */
export async function replacePasswordHash(db: Db, sellerId: string, passwordHash: string): Promise<void> {
  await users(db).updateOne({ _id: sellerId }, { $set: { password_hash: passwordHash } });
}

/** Removes a user: nobody can sign in to the account any more, and its address is free. */
export async function removeUser(db: Db, sellerId: string): Promise<void> {
  await removeRow(users(db), { _id: sellerId });
}

/**
 * Disables an account: nobody can sign in to it, and its sessions end. Its images stay. Idempotent.
 * @param order what becomes of the billing, recorded in the same write; null if it stays as it is
 * @returns ids of the sessions that were ended, which servers notice within seconds; whether the order counts: an earlier
 *   one may be kept (billing-orders.ts)
 */
export async function disableAccount(
  db: Db,
  sellerId: string,
  order: BillingOrder | null = null,
): Promise<{ sessions: string[]; ordered: boolean }> {
  const now = new Date();
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, disabled_at: { $exists: false } },
    {
      $set: { disabled_at: now, updated_at: now, ...(order && { billing_order: order }) },
      ...(!order && { $unset: { billing_order: '' } }),
    },
  );
  const ordered = modifiedCount === 1 || !order || (await placeBillingOrder(db, sellerId, order));
  // Afterwards, so that a sign-in at the same time either sees the mark or is ended with the others.
  return { sessions: await endSessionsOf(db, sellerId), ordered };
}

/**
 * Lets the owner of an account sign in again. Idempotent.
 * @param order what becomes of the billing; null if it stays as it is: an end that is not carried out yet still is
 */
export async function enableAccount(
  db: Db,
  sellerId: string,
  order: BillingOrder | null = null,
): Promise<void> {
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, disabled_at: { $exists: true } },
    {
      $unset: { disabled_at: '' },
      $set: { updated_at: new Date(), ...(order && { billing_order: order }) },
    },
  );
  if (modifiedCount === 0 || order) return;
  await profiles(db).updateOne(
    { _id: sellerId, disabled_at: { $exists: false }, 'billing_order.done_at': { $ne: null } },
    { $unset: { billing_order: '' } },
  );
}

/**
 * Accounts whose address begins with a text, by address, or the one with that id.
 * @param text in lower case
 */
export async function searchAccounts(db: Db, text: string, limit: number): Promise<ProfileRow[]> {
  // A range of the index on addresses; U+FFFF is after every character that an address has.
  const found = await users(db)
    .find({ email: { $gte: text, $lt: `${text}\uffff` } })
    .sort({ email: 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  const ids = [...found.map(({ _id }) => _id), text];
  return profiles(db)
    .find({ _id: { $in: ids } })
    .sort({ email: 1 })
    .limit(limit)
    .lean();
}
