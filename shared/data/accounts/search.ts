import type { Db } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { users } from '#shared/data/users.ts';

/**
 * Accounts whose address begins with a text, by address, or the one with that id.
 * @param text in lower case
 */
export async function searchAccounts(db: Db, text: string, limit: number): Promise<ProfileRow[]> {
  // A range of the index on addresses; U+FFFF is after every character that an address has.
  const found = await users(db)
    .find({ email: { $gte: text, $lt: `${text}\uffff` } })
    .sort({ email: 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  const ids = [...found.map(({ _id }) => _id), text];
  return profiles(db)
    .find({ _id: { $in: ids } })
    .sort({ email: 1 })
    .limit(limit)
    .lean();
}
