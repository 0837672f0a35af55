import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The seller that a route of operators is about. @throws AppError NOT_FOUND */
export async function sellerOf(db: Db, id: string): Promise<ProfileRow> {
  const profile = await findProfile(db, id);
  if (!profile) throw new AppError('NOT_FOUND');
  return profile;
}
