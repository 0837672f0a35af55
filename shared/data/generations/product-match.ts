import type { Db } from '#shared/data/db.ts';
import { visible } from './find.ts';
import type { ProductMatch } from './product-match-schema.ts';
import { type GenerationRow, generations } from './schema.ts';

/**
 * Records whether a finished image shows the product of its photos. The first match stays.
 * @returns the row after it; null when there is one already, or the generation was deleted meanwhile
 */
export async function setProductMatch(
  db: Db,
  id: string,
  match: ProductMatch,
): Promise<GenerationRow | null> {
  return generations(db)
    .findOneAndUpdate(
      { _id: id, ...visible, state: 'succeeded', match: { $exists: false } },
      { $set: { match }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
