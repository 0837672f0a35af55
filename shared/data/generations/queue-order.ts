import type { Db } from '#shared/data/db.ts';
import type { QueueOrder } from '#shared/data/queue-orders.ts';
import { type GenerationRow, generations } from './schema.ts';

/** Rows per batch; between batches the event loop handles other requests. */
const batchSize = 1_000;

/** Reads the order of all generations that are queued. */
export async function readQueueOrder(db: Db): Promise<QueueOrder> {
  const readAt = Date.now();
  const priorities: number[] = [];
  const createdAt: number[] = [];
  // The driver's collection, because mongoose would create a document for each entry. The index alone answers this.
  const rows = generations(db)
    .collection.find<Pick<GenerationRow, 'priority' | 'created_at'>>({ state: 'queued' })
    .project<Pick<GenerationRow, 'priority' | 'created_at'>>({ _id: 0, priority: 1, created_at: 1 })
    .sort({ priority: 1, created_at: 1 })
    .batchSize(batchSize);
  for await (const row of rows) {
    priorities.push(row.priority);
    createdAt.push(row.created_at.getTime());
  }
  return {
    readAt,
    entries: priorities.length,
    step: 1,
    priorities: Int32Array.from(priorities),
    createdAt: Float64Array.from(createdAt),
  };
}

/**
 * The number of entries with a smaller priority, or the same one and an earlier time, by binary search. In a sample it is up
 * to `step - 1` too small.
 */
export function countBefore(
  { entries, step, priorities, createdAt }: QueueOrder,
  priority: number,
  created: number,
): number {
  let low = 0;
  let high = priorities.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = priorities[middle]!;
    if (first < priority || (first === priority && createdAt[middle]! < created)) low = middle + 1;
    else high = middle;
  }
  return Math.min(entries, low * step);
}
