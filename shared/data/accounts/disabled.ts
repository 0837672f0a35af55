import type { Db } from '#shared/data/db.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { endSessionsOf } from '#shared/data/sessions.ts';

/**
 * Disables an account: nobody can sign in to it, and its sessions end. Its images and its plan stay. Idempotent.
 * @returns ids of the sessions that were ended; servers notice within seconds
 */
export async function disableAccount(db: Db, sellerId: string): Promise<string[]> {
  const now = new Date();
  await profiles(db).updateOne(
    { _id: sellerId, disabled_at: { $exists: false } },
    { $set: { disabled_at: now, updated_at: now } },
  );
  // Afterwards, so that a sign-in at the same time either sees the mark or is ended with the others.
  return endSessionsOf(db, sellerId);
}

/** Lets the owner of an account sign in again. Idempotent. */
export async function enableAccount(db: Db, sellerId: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, disabled_at: { $exists: true } },
    { $unset: { disabled_at: '' }, $set: { updated_at: new Date() } },
  );
}
