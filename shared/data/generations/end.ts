import type { QueryFilter } from 'mongoose';
import { type GenerationState, hasEnded, statesBefore } from '#contract';
import { updateRow } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { removeRow } from '#shared/data/remove-row.ts';
import { writeLater } from '#shared/data/write-later.ts';
import { findGeneration, kept } from './find.ts';
import { type GenerationRow, generations, type ProductMatch } from './schema.ts';

/**
 * Ends a generation: the compare-and-set that decides how, for attempts, cancels and deletions of accounts.
 * @param filter what the row must still match; its state must be one that may change to `state`
 * @param fields what else is stored
 * @param wasCalled false if the call that its attempt began was not executed: then it does not count
 * @returns the row after it, to be settled; null when it did not match
 */
export async function endGeneration(
  db: Db,
  filter: QueryFilter<GenerationRow>,
  state: GenerationState,
  fields: Partial<GenerationRow>,
  wasCalled = true,
): Promise<GenerationRow | null> {
  return updateRow(
    generations(db),
    { ...filter, state: { $in: statesBefore(state) } },
    {
      $set: {
        ...fields,
        state,
        ended_at: new Date(),
        lease_until: null,
        progress: null,
        preview_key: null,
        'calls.under_way': false,
        settlement_due: true,
      },
      $inc: { revision: 1, ...(!wasCalled && { 'calls.started': -1 }) },
    },
  );
}

/** Outcome of a cancel; `refused`: a preview is visible, and the seller has not agreed that it uses the image. */
export type Cancel =
  | { outcome: 'cancelled'; row: GenerationRow }
  | { outcome: 'refused' | 'ended' | 'absent' };

/**
 * Cancels a seller's own generation: free while no preview is visible, or if it is made again at no charge; else it uses
 * the image. Either way is one
 * compare-and-set on state and preview, so a preview, a success and a cancel at the same moment have one outcome.
 * @param agreed whether the seller agreed that the image is used if a preview is visible
 */
export async function cancelGeneration(
  db: Db,
  sellerId: string,
  id: string,
  agreed: boolean,
): Promise<Cancel> {
  const own = { _id: id, profile: sellerId };
  for (;;) {
    const freeToStop = { $or: [{ preview_key: null }, { remake_of: { $exists: true } }] };
    const free = await endGeneration(db, { ...own, ...freeToStop }, 'cancelled', {});
    if (free) return { outcome: 'cancelled', row: free };
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (hasEnded(current.state)) return { outcome: 'ended' };
    if (current.preview_key === null) continue;
    if (!agreed) return { outcome: 'refused' };
    const used = await endGeneration(db, { ...own, preview_key: { $ne: null } }, 'cancelled', {
      charged: true,
    });
    if (used) return { outcome: 'cancelled', row: used };
    // Since it was read, the preview was withdrawn or the generation ended: try again.
  }
}

/**
 * Cancels a generation of an account that is being deleted, also while a preview is visible. It is free: the whole
 * balance is deleted.
 * @returns the row after it, or null when it had ended
 */
export async function withdrawGeneration(
  db: Db,
  sellerId: string,
  id: string,
): Promise<GenerationRow | null> {
  return endGeneration(db, { _id: id, profile: sellerId }, 'cancelled', {});
}

/** @returns at most `limit` generations that ended before a moment and are not settled */
export async function findUnsettled(db: Db, endedBefore: Date, limit: number): Promise<GenerationRow[]> {
  return generations(db)
    .find({ settlement_due: true, ended_at: { $lt: endedBefore } })
    .limit(limit)
    .lean();
}

/** @returns how many generations have ended and are not settled */
export function countUnsettled(db: Db): Promise<number> {
  return generations(db).countDocuments({ settlement_due: true });
}

const settled = (filesRemoved: boolean) => ({
  $unset: { settlement_due: 1, network: 1, ...(filesRemoved && { previews_left: 1 }) },
});

/** Records that a generation is settled. @param filesRemoved whether the files of its attempts are removed, too */
export async function recordSettled(db: Db, id: string, filesRemoved: boolean): Promise<void> {
  await generations(db).updateOne({ _id: id }, settled(filesRemoved));
}

/**
 * The same within a second, together with others.
 * @throws when it could not be written: then upkeep settles it again, which changes nothing
 */
export function recordSettledLater(db: Db, id: string, filesRemoved: boolean): Promise<void> {
  const update = settled(filesRemoved);
  return writeLater(db, generations, { updateOne: { filter: { _id: id as never }, update } });
}

/** Removes the row of a generation whose files are removed. */
export async function removeGeneration(db: Db, id: string): Promise<void> {
  await removeRow(generations(db), { _id: id });
}

/**
 * Records whether a finished image shows the product of its photos. The first match stays. One in the trash gets it as well: it
 * may be restored.
 * @returns the row after it; null when there is one already, or the generation was deleted for ever meanwhile
 */
export async function setProductMatch(
  db: Db,
  id: string,
  match: ProductMatch,
): Promise<GenerationRow | null> {
  return generations(db)
    .findOneAndUpdate(
      { _id: id, ...kept, state: 'succeeded', match: { $exists: false } },
      { $set: { match }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
