import { type ChangeGeneration, type EditRecipe, hasEnded, limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { withoutOptionTexts } from '#shared/data/options.ts';
import { findGeneration, findInAnyState, visible } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';
import { searchFieldsOf } from './search-fields.ts';

/* Statements on what sellers do with their generations: rename, mark as favourite, delete, restore. */

/** @returns a seller's own generation after the change; null when there is none */
export async function changeGeneration(
  db: Db,
  sellerId: string,
  id: string,
  { productName, sku, favourite }: ChangeGeneration,
): Promise<GenerationRow | null> {
  for (;;) {
    const current = await findGeneration(db, sellerId, id);
    if (!current) return null;
    const { prompt, product_name, sku: currentSku } = current;
    const texts = { prompt, product_name: productName ?? product_name, sku: sku ?? currentSku ?? '' };
    const changed = await generations(db)
      .findOneAndUpdate(
        // The same texts: what it is found by follows from all of them.
        { _id: id, ...visible, prompt, product_name, sku: currentSku ?? null },
        {
          $set: {
            product_name: texts.product_name,
            ...(texts.sku !== '' && { sku: texts.sku }),
            ...(favourite !== undefined && { favourite }),
            ...searchFieldsOf(texts),
          },
          ...(texts.sku === '' && { $unset: { sku: 1 } }),
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean();
    if (changed) return changed;
  }
}

/** Outcome of a deletion; `unended`: it has to be cancelled first. */
export type Deletion = { outcome: 'deleted'; row: GenerationRow } | { outcome: 'unended' | 'absent' };

/**
 * Deletes a seller's own generation that has ended. From here on no seller sees it; its files and texts are removed later
 * ({@link beginPurge}).
 */
export async function deleteGeneration(db: Db, sellerId: string, id: string): Promise<Deletion> {
  for (;;) {
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (!hasEnded(current.state)) return { outcome: 'unended' };
    const row = await generations(db)
      .findOneAndUpdate(
        { _id: id, state: current.state, deletion: null },
        { $set: { deletion: { stage: 'undoable', at: new Date() } }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    if (row) return { outcome: 'deleted', row };
    // Another request deleted it since it was read.
  }
}

/** Outcome of undoing a deletion. A generation that is not deleted counts as `restored`. */
export type Restoration = { outcome: 'restored'; row: GenerationRow } | { outcome: 'late' | 'absent' };

/**
 * Undoes the deletion of a seller's own generation.
 * @param deletedSince one that was deleted earlier stays deleted
 */
export async function restoreGeneration(
  db: Db,
  sellerId: string,
  id: string,
  deletedSince: Date,
): Promise<Restoration> {
  const row = await generations(db)
    .findOneAndUpdate(
      {
        _id: id,
        profile: sellerId,
        'deletion.stage': 'undoable',
        'deletion.at': { $gte: deletedSince },
      },
      { $unset: { deletion: 1 }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
  if (row) return { outcome: 'restored', row };
  const current = await findGeneration(db, sellerId, id);
  if (current) return { outcome: 'restored', row: current };
  const deleted = await findInAnyState(db, id);
  return { outcome: deleted?.profile === sellerId && deleted.deletion ? 'late' : 'absent' };
}

/** @returns at most `limit` generations that were deleted before a moment and whose files may still be there */
export async function findToPurge(db: Db, deletedBefore: Date, limit: number): Promise<GenerationRow[]> {
  return generations(db)
    .find({
      'deletion.stage': { $in: ['undoable', 'purging'] },
      'deletion.at': { $lt: deletedBefore },
    })
    .limit(limit)
    .lean();
}

/**
 * Makes a deleted generation a tombstone: removes its texts, and the names of its files. It can no longer be restored, and
 * no longer counts as one that refers to its photos. What remains is what the idempotency key and the audit need.
 * @param deletedBefore one that was deleted later stays as it is
 * @returns whether its files are to be removed
 */
export async function beginPurge(db: Db, row: GenerationRow, deletedBefore: Date): Promise<boolean> {
  const { _id, failure, change } = row;
  const purged = await generations(db).findOneAndUpdate(
    {
      _id,
      'deletion.stage': { $in: ['undoable', 'purging'] },
      'deletion.at': { $lt: deletedBefore },
      // Settling needs its texts, for the mail.
      settlement_due: { $exists: false },
    },
    {
      $set: {
        'deletion.stage': 'purging',
        prompt: '',
        product_name: '',
        photos: [],
        image: null,
        ...withoutOptionTexts,
        ...(failure && { 'failure.detail': '' }),
        ...(change && { 'change.instruction': '' }),
      },
      $unset: { edits: 1, favourite: 1, sku: 1, words: 1, name_key: 1, template: 1 },
    },
  );
  return purged !== null;
}

/** Records that no files of a deleted generation are left. */
export async function recordPurged(db: Db, id: string): Promise<void> {
  await generations(db).updateOne(
    { _id: id, 'deletion.stage': 'purging' },
    { $set: { 'deletion.stage': 'purged' }, $unset: { previews_left: 1 } },
  );
}

/** How long the server takes back a deletion, in ms: what the seller is promised, and the time that a request may take. */
export const undoDeletionMs = limits.undoDeletionSeconds * 1_000 + 2_000;

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
