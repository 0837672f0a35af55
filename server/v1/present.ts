import type { V1Batch, V1Created } from '#contract';
import { batchSummaries } from '#shared/batches/views.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import type { Db } from '#shared/data/db.ts';
import type { Submitted } from '#shared/generations/submit.ts';
import { presentV1, presentV1Batch } from '#shared/views/v1.ts';

/** What a request made, or the first one under its key. */
export const presentCreated = ({ accepted }: Submitted): V1Created => ({
  generations: accepted.map(({ view }) => presentV1(view)),
});

/** Batches as programs see them, in the same order. */
export async function presentBatches(db: Db, rows: readonly BatchRow[]): Promise<V1Batch[]> {
  const views = await batchSummaries(db, rows);
  return views.map((view, index) => presentV1Batch(view, rows[index]!.round));
}

/** A batch as programs see it. */
export const presentBatch = async (db: Db, row: BatchRow) => (await presentBatches(db, [row]))[0]!;
