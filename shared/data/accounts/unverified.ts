import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import type { MailKind } from '#shared/data/mail-kinds.ts';
import { mails } from '#shared/data/mails.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { accountTokens } from './account-tokens.ts';
import { markIncomplete, removeThoseWithoutUser } from './create.ts';
import { type UserRow, users } from './users.ts';

/** Accounts that are checked and removed at a time. */
const batchSize = 100;

/** Mails to an unverified address: unsent ones have no purpose once its account is gone. */
const mailsToUnverified: MailKind[] = ['verifyAddress', 'resetPassword'];

/**
 * Removes the unverified account of an address that has another owner. An account that is replaced or verified at the
 * same moment stays.
 */
export async function removeUnverifiedAccount(db: Db, email: string): Promise<void> {
  const user = await users(db)
    .findOne({ email, sign_up: { $ne: null } })
    .lean();
  if (user) await removeUnverifiedAccounts(db, [user._id], { email, sign_up: user.sign_up });
}

/**
 * Removes unverified accounts with everything that is stored for them. The removal of each user is a compare-and-set:
 * one who was verified or replaced meanwhile stays.
 * @param condition what must still be true of a user when it is removed
 * @returns the number of accounts removed
 */
async function removeUnverifiedAccounts(
  db: Db,
  sellerIds: string[],
  condition: QueryFilter<UserRow>,
): Promise<number> {
  await markIncomplete(db, sellerIds);
  await users(db).deleteMany({ ...condition, _id: { $in: sellerIds } });
  return removeThoseWithoutUser(db, sellerIds);
}

/**
 * Removes accounts whose address was not verified in time. Accounts that somebody has signed in to, that have a customer
 * at Stripe, or for which a link in a mail still works, stay.
 * @param before only accounts whose last sign-up was before this time
 * @param limit stops after about this many
 * @returns the number of accounts removed
 */
export async function removeExpiredAccounts(db: Db, before: Date, limit: number): Promise<number> {
  const startedAt = new Date();
  // A sign-up sets the password, and nothing else changes the password of an unverified account.
  const expired = { sign_up: { $gt: '' }, password_changed_at: { $lt: before } };
  const candidates = users(db)
    .find(expired)
    .sort({ password_changed_at: 1 })
    .select({ _id: 1, email: 1 })
    .lean()
    .cursor({ batchSize });
  let removed = 0;
  let batch: { _id: string; email: string }[] = [];
  const removeBatch = async () => {
    const unused = await withoutUsedAccounts(db, batch, startedAt);
    batch = [];
    if (unused.length === 0) return;
    await mails(db).deleteMany({
      ended_at: null,
      kind: { $in: mailsToUnverified },
      to: { $in: unused.map(({ email }) => email) },
      created_at: { $lt: startedAt },
    });
    const sellerIds = unused.map(({ _id }) => _id);
    removed += await removeUnverifiedAccounts(db, sellerIds, expired);
  };
  for await (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length === batchSize) await removeBatch();
    if (removed >= limit) return removed;
  }
  await removeBatch();
  return removed;
}

/** @returns those users whose profile was never used and for whom no link works at this time */
async function withoutUsedAccounts<User extends { _id: string }>(
  db: Db,
  users: User[],
  now: Date,
): Promise<User[]> {
  const sellerIds = users.map(({ _id }) => _id);
  const [unused, linked] = await Promise.all([
    profiles(db)
      .find({
        _id: { $in: sellerIds },
        login_count: 0,
        email_verified: false,
        stripe_customer_id: null,
        subscription_id: null,
        granted: 0,
        deletion_asked_at: null,
      })
      .select({ _id: 1 })
      .lean(),
    accountTokens(db)
      .find({ user_id: { $in: sellerIds }, expires_at: { $gt: now } })
      .select({ user_id: 1 })
      .lean(),
  ]);
  const removable = new Set(unused.map(({ _id }) => _id));
  for (const { user_id: sellerId } of linked) removable.delete(sellerId);
  return users.filter(({ _id }) => removable.has(_id));
}
