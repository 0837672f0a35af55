import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { ProfileRow } from './schema.ts';

/** @returns a seller's profile, also while the account is being deleted; null when there is none */
export function findProfile(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return modelsOf(db).profiles.findById(sellerId).lean();
}
