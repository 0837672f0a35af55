import { limits } from '#contract';
import type { AccountTokenRow } from '#shared/data/account-tokens.ts';
import { hashSecret, randomSecret } from '#shared/data/account-tokens.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { UserRow } from '#shared/data/users.ts';
import { removeUnverifiedAccount } from './unverified.ts';

const undoMs = limits.undoDays * 86_400_000;

/** What works now. */
const open = () => ({ kind: 'undo-email' as const, expires_at: { $gt: new Date() } });

/**
 * Makes a link that brings an account back to the address that it has now. Older ones go on working, and the address is
 * reserved as long as one does.
 * @param waitMs how long the change may wait before it is made, in ms
 * @returns the token, and until when it works
 */
export async function issueUndoLink(
  db: Db,
  user: Pick<UserRow, '_id' | 'email'>,
  waitMs = 0,
): Promise<{ token: string; until: Date }> {
  const token = randomSecret();
  const until = new Date(Date.now() + waitMs + undoMs);
  await modelsOf(db).accountTokens.create({
    _id: hashSecret(token),
    kind: 'undo-email',
    user_id: user._id,
    email: user.email,
    expires_at: until,
  });
  return { token, until };
}

/**
 * Makes one more link for an account that was moved away from an address, as strong as the oldest one and no longer
 * valid than it.
 * @returns null when no account was moved away from it lately, or its link was used
 */
export async function reissueUndoLink(
  db: Db,
  email: string,
): Promise<{ token: string; until: Date; sellerId: string; changedAt: Date } | null> {
  const rows = await modelsOf(db)
    .accountTokens.find({ ...open(), email })
    .sort({ created_at: 1 })
    .lean();
  const [oldest, newest] = [rows[0], rows.at(-1)];
  if (!oldest || !newest) return null;
  const token = randomSecret();
  await modelsOf(db).accountTokens.create({ ...oldest, _id: hashSecret(token) });
  return { token, until: oldest.expires_at, sellerId: oldest.user_id, changedAt: newest.created_at };
}

/**
 * Whether an address may come back to an account that was moved away from it: nobody else gets it meanwhile.
 * @param exceptUserId the account that may have it all the same
 */
export async function isAddressReserved(db: Db, email: string, exceptUserId?: string): Promise<boolean> {
  const others = exceptUserId === undefined ? {} : { user_id: { $ne: exceptUserId } };
  return (await modelsOf(db).accountTokens.exists({ ...open(), email, ...others })) !== null;
}

/** Whether a change of an account's address can still be undone. @param user as it is now */
export async function canUndoAddressChange(db: Db, user: Pick<UserRow, '_id' | 'email'>): Promise<boolean> {
  const left = { ...open(), user_id: user._id, email: { $ne: user.email } };
  return (await modelsOf(db).accountTokens.exists(left)) !== null;
}

/**
 * Moves an account to an address that its mailbox has confirmed. An account that somebody signed up for it without ever
 * verifying it makes way.
 * @param user as it was read when its password was checked
 * @returns false when the password was changed since, or the address has got another account
 */
export async function changeAddress(
  db: Db,
  user: Pick<UserRow, '_id' | 'email' | 'password_hash'>,
  email: string,
): Promise<boolean> {
  if (await isAddressReserved(db, email, user._id)) return false;
  await removeUnverifiedAccount(db, email);
  // In one write with the check: a new password, or an undo, that comes a moment earlier keeps the account where it is.
  const which = { _id: user._id, password_hash: user.password_hash };
  const moved = await modelsOf(db).users.updateOne(which, { $set: { email } }).catch(takenAsNull);
  if (!moved?.matchedCount) return false;
  await modelsOf(db).profiles.updateOne({ _id: user._id }, { $set: { email, updated_at: new Date() } });
  // A link that was made when the change was asked for lasts as long as one that is made now.
  const until = new Date(Date.now() + undoMs);
  await modelsOf(db).accountTokens.updateMany(
    { kind: 'undo-email', user_id: user._id, email: user.email, expires_at: { $gt: until } },
    { $set: { expires_at: until } },
  );
  return true;
}

/**
 * Brings an account back to the address of a link, with a new password. Changes that were made after the link undo
 * nothing any more, so that whoever made them cannot undo this; older links go on working. Two-factor sign-in that was
 * turned on after the link, or within the days before it in which a change can be undone, is off: it may be a thief's.
 * @param link as it was found
 * @returns the user before it, or null when there is none, or the link was made void by another
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
  const before = await modelsOf(db)
    .users.findOneAndUpdate(
      // The row decides, not the link: of two that come at once, the older one wins.
      {
        _id: sellerId,
        $or: [{ undone: null }, { 'undone.from': { $gt: from } }, { 'undone.to': { $lt: from } }],
      },
      [
        {
          $set: {
            // Literal: a hash begins with the sign that stands for a field here.
            email: { $literal: email },
            password_hash: { $literal: passwordHash },
            password_changed_at: now,
            two_factor: {
              $cond: [{ $lt: ['$two_factor.since', new Date(from.getTime() - undoMs)] }, '$two_factor', null],
            },
            two_factor_setup: null,
            undone: { from, to: now },
          },
        },
      ],
      { updatePipeline: true, returnDocument: 'before' },
    )
    .lean()
    .catch(takenAsNull);
  if (!before) return null;
  const after = await modelsOf(db).users.findById(sellerId).lean();
  await modelsOf(db).profiles.updateOne(
    { _id: sellerId },
    { $set: { email, two_factor_enabled: Boolean(after?.two_factor), updated_at: now } },
  );
  await modelsOf(db).accountTokens.deleteMany({
    user_id: sellerId,
    kind: 'undo-email',
    $or: [{ email }, { created_at: { $gte: from } }],
  });
  return before;
}

/** The address has got another account. */
function takenAsNull(error: unknown): null {
  if (isDuplicateKey(error)) return null;
  throw error;
}
