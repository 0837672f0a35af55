import { limits } from '#contract';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import { randomSecret } from './account-tokens.ts';
import { setTwoFactorEnabled } from './two-factor.ts';
import { type PasskeyRow, type UserRow, users } from './users.ts';

/** @returns the user to whom a passkey belongs, or null. @param credential its id */
export function findUserByPasskey(db: Db, credential: string): Promise<UserRow | null> {
  return users(db).findOne({ 'two_factor.passkeys.credential': credential }).lean();
}

/** @returns by what authenticators know an account: the same for all its passkeys, and random */
export async function passkeyUserOf(db: Db, user: Pick<UserRow, '_id' | 'passkey_user'>): Promise<string> {
  if (user.passkey_user) return user.passkey_user;
  await users(db).updateOne(
    { _id: user._id, passkey_user: null },
    { $set: { passkey_user: randomSecret() } },
  );
  const after = await users(db).findById(user._id).select({ passkey_user: 1 }).lean();
  return after?.passkey_user ?? randomSecret();
}

/**
 * Adds the passkey with which two-factor sign-in is turned on.
 * @returns false when there is a factor meanwhile, or another account has this passkey
 */
export async function addFirstPasskey(
  db: Db,
  sellerId: string,
  passkey: PasskeyRow,
  recoveryCodeHashes: string[],
): Promise<boolean> {
  const two_factor = {
    secret: null,
    last_step: 0,
    passkeys: [passkey],
    recovery_codes: recoveryCodeHashes,
    since: passkey.created_at,
  };
  const added = await users(db)
    .updateOne(
      { _id: sellerId, two_factor: null },
      { $set: { two_factor, two_factor_id: newId(), two_factor_removal: null } },
    )
    .catch(takenAsNull);
  if (!added?.matchedCount) return false;
  await setTwoFactorEnabled(db, sellerId, true);
  return true;
}

/**
 * Adds a passkey to the factors of an account.
 * @returns false when there is no factor any more, there are `limits.passkeys`, or an account has this one already
 */
export async function addPasskey(db: Db, sellerId: string, passkey: PasskeyRow): Promise<boolean> {
  const added = await users(db)
    .updateOne(
      {
        _id: sellerId,
        two_factor: { $ne: null },
        'two_factor.passkeys.credential': { $ne: passkey.credential },
        [`two_factor.passkeys.${limits.passkeys - 1}`]: { $exists: false },
      },
      { $push: { 'two_factor.passkeys': passkey } },
    )
    .catch(takenAsNull);
  return added?.modifiedCount === 1;
}

/** @returns the passkey with its new name; null when there is none with this id */
export async function renamePasskey(
  db: Db,
  sellerId: string,
  passkeyId: string,
  name: string,
): Promise<PasskeyRow | null> {
  const user = await users(db)
    .findOneAndUpdate(
      { _id: sellerId, 'two_factor.passkeys.id': passkeyId },
      { $set: { 'two_factor.passkeys.$.name': name } },
      { returnDocument: 'after' },
    )
    .lean();
  return user?.two_factor?.passkeys?.find(({ id }) => id === passkeyId) ?? null;
}

/**
 * Records that a passkey was used.
 * @param use counter: how often it was used, as it says itself: more often than is stored, or 0 both times (WebAuthn, 6.1.1),
 *   unless it is synchronised between devices, each of which may count for itself
 * @returns false otherwise, or when the passkey was removed
 */
export async function recordPasskeyUse(
  db: Db,
  sellerId: string,
  credential: string,
  { counter, synchronised }: { counter: number; synchronised: boolean },
): Promise<boolean> {
  const counterRule = synchronised ? {} : counter === 0 ? { counter: 0 } : { counter: { $lt: counter } };
  const { matchedCount } = await users(db).updateOne(
    { _id: sellerId, 'two_factor.passkeys': { $elemMatch: { credential, ...counterRule } } },
    { $set: { 'two_factor.passkeys.$.counter': counter, 'two_factor.passkeys.$.last_used_at': new Date() } },
  );
  return matchedCount === 1;
}

/** For a write that adds a passkey: null if another account has it. */
function takenAsNull(error: unknown): null {
  if (isDuplicateKey(error)) return null;
  throw error;
}
