import type { Db } from '#shared/data/db.ts';
import { profiles } from './schema.ts';

/** Changes a seller's name, unless the account is being deleted. */
export async function changeName(db: Db, sellerId: string, fullName: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null },
    { $set: { full_name: fullName, updated_at: new Date() } },
  );
}

/**
 * Records in the profile whether the account is locked: no unknown device may sign in, from any network. Failed sign-ins
 * are counted elsewhere, by address.
 */
export async function setLocked(db: Db, sellerId: string, locked: boolean): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, account_locked: !locked },
    { $set: { account_locked: locked, updated_at: new Date() } },
  );
}
