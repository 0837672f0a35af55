import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { MailKind } from '#shared/mail/kinds.ts';
import { removeUnverifiedAccounts } from './create.ts';

/** Accounts that are looked at together. */
const chunk = 100;

/** What is written to an account whose address nobody has verified; unsent, it is about nothing once the account is gone. */
const theirMails: MailKind[] = ['verifyAddress', 'resetPassword'];

/**
 * Removes accounts whose address nobody has verified since the last sign-up for it, with all that is kept for them. None
 * goes that was ever signed in to, that Stripe knows, or for which a link in a mail still works.
 * @param before only those whose last sign-up was before this time
 * @param most about how many in one go
 * @returns how many
 */
export async function removeExpiredAccounts(db: Db, before: Date, most: number): Promise<number> {
  const seen = new Date();
  // A sign-up sets the password, and nobody changes that of an unverified account in another way.
  const expired = { sign_up: { $gt: '' }, password_changed_at: { $lt: before } };
  const candidates = modelsOf(db)
    .users.find(expired)
    .sort({ password_changed_at: 1 })
    .select({ _id: 1, email: 1 })
    .lean()
    .cursor({ batchSize: chunk });
  let removed = 0;
  let together: { _id: string; email: string }[] = [];
  const removeThese = async () => {
    const ending = await whichMayEnd(db, together, seen);
    together = [];
    if (ending.length === 0) return;
    await modelsOf(db).mails.deleteMany({
      ended_at: null,
      kind: { $in: theirMails },
      to: { $in: ending.map(({ email }) => email) },
      created_at: { $lt: seen },
    });
    const ids = ending.map(({ _id }) => _id);
    removed += await removeUnverifiedAccounts(db, ids, expired);
  };
  for await (const candidate of candidates) {
    together.push(candidate);
    if (together.length === chunk) await removeThese();
    if (removed >= most) return removed;
  }
  await removeThese();
  return removed;
}

/** Those that are nobody's as far as profile and links say. */
async function whichMayEnd<User extends { _id: string }>(db: Db, users: User[], now: Date): Promise<User[]> {
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
  const mayEnd = new Set(unused.map(({ _id }) => _id));
  for (const { user_id: id } of linked) mayEnd.delete(id);
  return users.filter(({ _id }) => mayEnd.has(_id));
}
