import { isDeepStrictEqual } from 'node:util';
import { type ChangeGeneration, type EditRecipe, hasEnded } from '#contract';
import { changeFiles } from '#shared/data/batches/files.ts';
import type { Db } from '#shared/data/db.ts';
import { withoutOptionTexts } from '#shared/data/options.ts';
import { findGeneration, visible } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';
import { searchFieldsOf } from './search-fields.ts';

/* Statements on what sellers do with their generations: rename, mark as favourite, delete; and on what becomes of deleted ones. */

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
 * Moves a seller's own generation that has ended to the trash. From here on nobody sees it anywhere else; it can be restored, and
 * its files and texts are removed when its time in the trash is over ({@link beginPurge}).
 */
export async function deleteGeneration(db: Db, sellerId: string, id: string): Promise<Deletion> {
  for (;;) {
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (!hasEnded(current.state)) return { outcome: 'unended' };
    const row = await changeFiles(db, current.batch?.id, () =>
      generations(db)
        .findOneAndUpdate(
          { _id: id, state: current.state, deletion: null },
          { $set: { deletion: { stage: 'trashed', at: new Date() } }, $inc: { revision: 1 } },
          { returnDocument: 'after' },
        )
        .lean<GenerationRow>(),
    );
    if (row) return { outcome: 'deleted', row };
    // Another request deleted it since it was read.
  }
}

/**
 * Which deleted generations may be purged: those that were deleted for ever, or moved to the trash before a moment. The update
 * that restores one matches only `trashed`, so of the two that come at the same moment one has no effect.
 */
const purgeable = (deletedBefore: Date) => ({
  $or: [
    { 'deletion.stage': 'trashed' as const, 'deletion.at': { $lt: deletedBefore } },
    { 'deletion.stage': { $in: ['final', 'purging'] as const } },
  ],
});

/** @returns at most `limit` generations that may be purged, and whose files may still be there */
export async function findToPurge(db: Db, deletedBefore: Date, limit: number): Promise<GenerationRow[]> {
  return generations(db).find(purgeable(deletedBefore)).limit(limit).lean();
}

/**
 * Makes a deleted generation a tombstone: removes its texts, and the names of its files. It can no longer be restored, and
 * no longer counts as one that refers to its photos. What remains is what the idempotency key and the audit need.
 * @param deletedBefore one that was moved to the trash later stays as it is, unless it was deleted for ever
 * @returns whether its files are to be removed
 */
export async function beginPurge(db: Db, row: GenerationRow, deletedBefore: Date): Promise<boolean> {
  const { _id, failure, change } = row;
  const purged = await generations(db).findOneAndUpdate(
    {
      _id,
      ...purgeable(deletedBefore),
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
      $unset: { edits: 1, favourite: 1, sku: 1, asin: 1, words: 1, name_key: 1, template: 1 },
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

/** Outcome of saving edits; `same`: these are stored already. `conflict`: other edits were saved in the meantime. */
export type SavedEdits =
  | { outcome: 'saved' | 'same'; row: GenerationRow }
  | { outcome: 'absent' | 'unfinished' | 'conflict' };

/**
 * Stores a seller's edits of their own finished image. One compare-and-set on the row's revision, so of two saves that
 * are based on the same version one succeeds. What is stored already stays as it is: so a save can be repeated.
 * @param recipe null removes the edits
 * @param basedOn version of the edits that the seller saw, null for none; undefined to replace any
 */
export async function saveEdits(
  db: Db,
  sellerId: string,
  id: string,
  { recipe, basedOn }: { recipe: EditRecipe | null; basedOn: number | null | undefined },
): Promise<SavedEdits> {
  for (;;) {
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (current.state !== 'succeeded' || !current.image) return { outcome: 'unfinished' };
    if (isDeepStrictEqual(current.edits?.recipe ?? null, recipe)) return { outcome: 'same', row: current };
    if (basedOn !== undefined && (current.edits?.version ?? null) !== basedOn) return { outcome: 'conflict' };
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
