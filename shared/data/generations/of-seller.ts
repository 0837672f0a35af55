import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import { visible } from './find.ts';
import type { GenerationRow } from './schema.ts';

/** A seller's generations, oldest first. */
export function generationsOf(db: Db, sellerId: string): AsyncIterable<GenerationRow> {
  return modelsOf(db)
    .generations.find({ profile: sellerId, ...visible })
    .sort({ created_at: 1, _id: 1 })
    .lean()
    .cursor();
}

/** @returns ids of a seller's generations that are queued or running */
export async function findPendingGenerations(db: Db, sellerId: string): Promise<string[]> {
  const rows = await modelsOf(db)
    .generations.find({
      profile: sellerId,
      state: { $in: ['queued', 'running'] },
    })
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/** Ids of all generations of a seller, also of those in `receiving`. */
export async function* generationIdsOf(db: Db, sellerId: string): AsyncGenerator<string> {
  const rows = modelsOf(db).generations.find({ profile: sellerId }).select({ _id: 1 }).lean().cursor();
  for await (const { _id } of rows) yield _id;
}

/** Removes a generation's row; its files are removed first. */
export async function removeGeneration(db: Db, id: string): Promise<void> {
  await modelsOf(db).generations.deleteOne({ _id: id });
}
