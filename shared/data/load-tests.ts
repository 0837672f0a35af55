/** Bulk statements that only the benchmarks and attacks of scripts/ need. */
import { type Db, newId } from './db.ts';
import type { GenerationRow } from './generations/schema.ts';
import { connectionOf, modelsOf } from './models.ts';

/** Rows that are inserted at a time. */
const batchSize = 1_000;

/**
 * Inserts queued generations without holds or jobs.
 * @param generations what differs between them; each gets a new id, and one photo that does not exist
 */
export async function insertQueuedGenerations(
  db: Db,
  generations: readonly Pick<GenerationRow, 'profile' | 'prompt' | 'priority' | 'created_at'>[],
): Promise<void> {
  const model = modelsOf(db).generations;
  const rows = generations.map((generation) => {
    const id = newId();
    return new model({
      ...generation,
      _id: id,
      idempotency_key: id,
      fingerprint: id,
      count: 1,
      quality: 'high',
      photos: [{ key: `generations/${id}/photo-0.png`, width: 800, height: 800, bytes: 1 }],
      state: 'queued',
      revision: 1,
      queued_at: generation.created_at,
    }).toObject();
  });
  for (let from = 0; from < rows.length; from += batchSize) {
    await model.collection.insertMany(rows.slice(from, from + batchSize) as never[]);
  }
}

/** @returns every generation */
export function listAllGenerations(db: Db): Promise<GenerationRow[]> {
  return modelsOf(db).generations.find().lean();
}

/** @returns how many users and mails there are for addresses that begin with a text */
export async function countByEmailPrefix(db: Db, prefix: string): Promise<{ users: number; mails: number }> {
  const begins = { $gte: prefix, $lt: `${prefix}\uffff` };
  const [users, mails] = await Promise.all([
    modelsOf(db).users.countDocuments({ email: begins }),
    modelsOf(db).mails.countDocuments({ to: begins }),
  ]);
  return { users, mails };
}

/** Removes the whole database. */
export async function dropDatabase(db: Db): Promise<void> {
  await connectionOf(db).dropDatabase();
}
