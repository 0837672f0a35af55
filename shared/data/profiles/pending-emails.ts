import type { Db } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from './schema.ts';

/** @returns profiles with an email that has been pending since before a moment */
export function findPendingEmails(db: Db, before: Date, limit: number): Promise<ProfileRow[]> {
  return profiles(db)
    .find({ 'pending_emails.at': { $lt: before } })
    .limit(limit)
    .lean();
}

/** Removes a pending email from a profile, once it is in the outbox. */
export async function removePendingEmail(db: Db, sellerId: string, id: string): Promise<void> {
  await profiles(db).updateOne({ _id: sellerId }, { $pull: { pending_emails: { id } } });
}
