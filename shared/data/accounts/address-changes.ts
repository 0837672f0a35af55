import { limits } from '#contract';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { type AccountTokenRow, accountTokens, hashSecret, randomSecret } from './account-tokens.ts';
import { keepFactorsFrom, twoFactorFields } from './two-factor.ts';
import { removeUnverifiedAccount } from './unverified.ts';
import { type UserRow, users } from './users.ts';

const undoMs = limits.undoDays * 86_400_000;

/** Undo tokens that have not expired. */
const valid = () => ({ kind: 'undo-email' as const, expires_at: { $gt: new Date() } });

/**
 * Creates an undo token, which restores an account's current address. Older ones stay valid, and the address is reserved
 * as long as one of them is.
 * @param waitMs how long the change of address may be pending before it happens, in ms
 * @returns the token, and when it expires
 */
export async function issueUndoLink(
  db: Db,
  user: Pick<UserRow, '_id' | 'email'>,
  waitMs = 0,
): Promise<{ token: string; until: Date }> {
  const token = randomSecret();
  const until = new Date(Date.now() + waitMs + undoMs);
  await accountTokens(db).create({
    _id: hashSecret(token),
    kind: 'undo-email',
    user_id: user._id,
    email: user.email,
    expires_at: until,
  });
  return { token, until };
}

/**
 * Creates one more undo token for an account that has left an address, with the rights and the expiry of the oldest one.
 * @returns null when no account has left the address lately, or its token was used
 */
export async function reissueUndoLink(
  db: Db,
  email: string,
): Promise<{ token: string; until: Date; sellerId: string; changedAt: Date } | null> {
  const rows = await accountTokens(db)
    .find({ ...valid(), email })
    .sort({ created_at: 1 })
    .lean();
  const [oldest, newest] = [rows[0], rows.at(-1)];
  if (!oldest || !newest) return null;
  const token = randomSecret();
  await accountTokens(db).create({ ...oldest, _id: hashSecret(token) });
  return { token, until: oldest.expires_at, sellerId: oldest.user_id, changedAt: newest.created_at };
}

/**
 * Whether an address is reserved, because an undo token may still restore it to the account that left it.
 * @param exceptSellerId the seller for whom it is not considered reserved
 */
export async function isAddressReserved(db: Db, email: string, exceptSellerId?: string): Promise<boolean> {
  const others = exceptSellerId === undefined ? {} : { user_id: { $ne: exceptSellerId } };
  return (await accountTokens(db).exists({ ...valid(), email, ...others })) !== null;
}

/** Whether an address change of an account can still be undone. @param user with the current address */
export async function canUndoAddressChange(db: Db, user: Pick<UserRow, '_id' | 'email'>): Promise<boolean> {
  const left = { ...valid(), user_id: user._id, email: { $ne: user.email } };
  return (await accountTokens(db).exists(left)) !== null;
}

/**
 * Changes the address of an account to a confirmed one, and removes an unverified account that has that address.
 * @param user as it was read when its password was checked
 * @returns false when the password has changed since, or another account has taken the address
 */
export async function changeAddress(
  db: Db,
  user: Pick<UserRow, '_id' | 'email' | 'password_hash'>,
  email: string,
): Promise<boolean> {
  if (await isAddressReserved(db, email, user._id)) return false;
  await removeUnverifiedAccount(db, email);
  // A compare-and-set on the password: after a password change or an undo in the meantime, the address stays.
  const which = { _id: user._id, password_hash: user.password_hash };
  const moved = await users(db).updateOne(which, { $set: { email } }).catch(takenAsNull);
  if (!moved?.matchedCount) return false;
  await profiles(db).updateOne({ _id: user._id }, { $set: { email, updated_at: new Date() } });
  // Undo tokens from the time of the request expire together with one created now.
  const until = new Date(Date.now() + undoMs);
  await accountTokens(db).updateMany(
    { kind: 'undo-email', user_id: user._id, email: user.email, expires_at: { $gt: until } },
    { $set: { expires_at: until } },
  );
  return true;
}

/**
 * Restores the address of an undo token and sets a new password. Undo tokens created after this one become invalid, so
 * that a thief cannot revert this; older ones stay valid. Factors are removed that were added after the token was created,
 * or less than `undoMs` before: they may be the thief's.
 * @param link the token's row
 * @returns the user before the write; null when there is none, or the undo of an older token invalidated this one
 */
export async function undoAddressChange(
  db: Db,
  link: AccountTokenRow,
  passwordHash: string,
): Promise<UserRow | null> {
  const { user_id: sellerId, email, created_at: from } = link;
  if (email === null) return null;
  const now = new Date();
  await removeUnverifiedAccount(db, email);
  const before = await users(db)
    .findOneAndUpdate(
      // Checked on the user, not on the token: of two concurrent undos, the one with the older token wins.
      {
        _id: sellerId,
        $or: [{ undone: null }, { 'undone.from': { $gt: from } }, { 'undone.to': { $lt: from } }],
      },
      [
        {
          $set: {
            // $literal: a hash begins with `$`, which would refer to a field.
            email: { $literal: email },
            password_hash: { $literal: passwordHash },
            password_changed_at: now,
            ...keepFactorsFrom(new Date(from.getTime() - undoMs)),
            undone: { from, to: now },
          },
        },
      ],
      { updatePipeline: true, returnDocument: 'before' },
    )
    .lean()
    .catch(takenAsNull);
  if (!before) return null;
  const after = await users(db).findById(sellerId).lean();
  await profiles(db).updateOne(
    { _id: sellerId },
    { $set: { email, ...twoFactorFields(Boolean(after?.two_factor)), updated_at: now } },
  );
  await accountTokens(db).deleteMany({
    user_id: sellerId,
    kind: 'undo-email',
    $or: [{ email }, { created_at: { $gte: from } }],
  });
  return before;
}

/** For a write that sets an address: null if another account has it. */
function takenAsNull(error: unknown): null {
  if (isDuplicateKey(error)) return null;
  throw error;
}
