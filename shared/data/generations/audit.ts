import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { GenerationRow } from './schema.ts';

/** Every generation, in no particular order, also those in `receiving`. */
export function allGenerations(db: Db): AsyncIterable<GenerationRow> {
  return modelsOf(db).generations.find().lean().cursor();
}

/** @returns those of the generations that exist */
export function findGenerationsById(db: Db, ids: readonly string[]): Promise<GenerationRow[]> {
  return modelsOf(db)
    .generations.find({ _id: { $in: [...ids] } })
    .lean();
}

/** @returns a seller's generations that have not ended */
export function findUnended(db: Db, sellerId: string): Promise<GenerationRow[]> {
  return modelsOf(db)
    .generations.find({ profile: sellerId, state: { $in: ['queued', 'running'] } })
    .lean();
}

/** @returns whether there is a generation with this id */
export async function hasGeneration(db: Db, id: string): Promise<boolean> {
  return (await modelsOf(db).generations.exists({ _id: id })) !== null;
}

/** @returns how many generations there are */
export function countGenerations(db: Db): Promise<number> {
  return modelsOf(db).generations.countDocuments();
}
