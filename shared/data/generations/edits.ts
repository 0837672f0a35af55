import type { EditRecipe } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { findGeneration } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';

/** Outcome of saving edits; `conflict`: other edits were saved in the meantime. */
export type SavedEdits =
  | { outcome: 'saved'; row: GenerationRow }
  | { outcome: 'absent' | 'unfinished' | 'conflict' };

/**
 * Stores a seller's edits of their own finished image. One compare-and-set on the row's revision, so of two saves that
 * are based on the same version one succeeds.
 * @param recipe null removes the edits
 * @param basedOn version of the edits that the seller saw; null for none
 */
export async function saveEdits(
  db: Db,
  sellerId: string,
  id: string,
  { recipe, basedOn }: { recipe: EditRecipe | null; basedOn: number | null },
): Promise<SavedEdits> {
  for (;;) {
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (current.state !== 'succeeded' || !current.image) return { outcome: 'unfinished' };
    if ((current.edits?.version ?? null) !== basedOn) return { outcome: 'conflict' };
    const version = current.revision + 1;
    const row = await generations(db)
      .findOneAndUpdate(
        { _id: id, profile: sellerId, state: 'succeeded', revision: current.revision },
        {
          ...(recipe ? { $set: { edits: { version, recipe } } } : { $unset: { edits: 1 } }),
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean();
    if (row) return { outcome: 'saved', row };
    // The row changed since it was read: try again.
  }
}
