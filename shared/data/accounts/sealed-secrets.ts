import type { Db } from '#shared/data/db.ts';
import { users } from './users.ts';

/** Rows that are read at a time. */
const batchSize = 500;

/**
 * Finds the two-factor secrets that are sealed with another key than that of a prefix.
 * @returns each with the id of its seller
 */
export async function* secretsWithoutPrefix(
  db: Db,
  prefix: string,
): AsyncGenerator<{ about: string; stored: string }> {
  // Two ranges of one index; U+FFFF is after every character of a stored secret.
  for (const outside of [{ $gt: '', $lt: prefix }, { $gte: `${prefix}\uffff` }]) {
    const rows = users(db)
      .find({ 'two_factor.secret': outside })
      .select({ 'two_factor.secret': 1 })
      .lean()
      .cursor({ batchSize });
    for await (const { _id, two_factor } of rows) {
      if (two_factor?.secret) yield { about: _id, stored: two_factor.secret };
    }
  }
}

/** Stores a two-factor secret in another form, as a compare-and-set on the present one. @returns whether it was stored */
export async function replaceStoredSecret(
  db: Db,
  sellerId: string,
  from: string,
  to: string,
): Promise<boolean> {
  const { modifiedCount } = await users(db).updateOne(
    { _id: sellerId, 'two_factor.secret': from },
    { $set: { 'two_factor.secret': to } },
  );
  return modifiedCount === 1;
}
