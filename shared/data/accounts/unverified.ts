import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { MailKind } from '#shared/mail/kinds.ts';
import { removeUnverifiedAccounts } from './remove.ts';

/** Accounts that are checked and removed at a time. */
const batchSize = 100;

/** Mails to an unverified address: unsent ones have no purpose once its account is gone. */
const mailsToUnverified: MailKind[] = ['verifyAddress', 'resetPassword'];

/**
 * Removes accounts whose address was not verified in time, with everything that is stored for them. Accounts that somebody
 * has signed in to, that have a customer at Stripe, or for which a link in a mail still works, stay.
 * @param before only accounts whose last sign-up was before this time
 * @param limit stops after about so many
 * @returns how many were removed
 */
export async function removeExpiredAccounts(db: Db, before: Date, limit: number): Promise<number> {
  const startedAt = new Date();
  // A sign-up sets the password, and nothing else changes the password of an unverified account.
  const expired = { sign_up: { $gt: '' }, password_changed_at: { $lt: before } };
  const candidates = modelsOf(db)
    .users.find(expired)
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
    await modelsOf(db).mails.deleteMany({
      ended_at: null,
      kind: { $in: mailsToUnverified },
      to: { $in: unused.map(({ email }) => email) },
      created_at: { $lt: startedAt },
    });
    const ids = unused.map(({ _id }) => _id);
    removed += await removeUnverifiedAccounts(db, ids, expired);
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
  const ids = users.map(({ _id }) => _id);
  const [unused, linked] = await Promise.all([
    modelsOf(db)
      .profiles.find({
        _id: { $in: ids },
        login_count: 0,
        email_verified: false,
        stripe_customer_id: null,
        subscription_id: null,
        granted: 0,
        deletion_asked_at: null,
      })
      .select({ _id: 1 })
      .lean(),
    modelsOf(db)
      .accountTokens.find({ user_id: { $in: ids }, expires_at: { $gt: now } })
      .select({ user_id: 1 })
      .lean(),
  ]);
  const removable = new Set(unused.map(({ _id }) => _id));
  for (const { user_id: id } of linked) removable.delete(id);
  return users.filter(({ _id }) => removable.has(_id));
}
