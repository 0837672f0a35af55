import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { GenerationRow } from './schema.ts';

/** The order of the queue at one time: one entry for each waiting generation, the next one first. */
interface QueueOrder {
  priorities: Int32Array;
  /** Milliseconds since 1970. */
  createdAt: Float64Array;
  /** When reading it began, by `performance.now()`. */
  readAt: number;
}

/** Entries of a queue that takes long to read, so that the database serves others more slowly meanwhile. */
const longQueue = 1_000;

/**
 * How old a queue order may be, in ms for each entry. Reading one takes about 5 µs of a core: that is a fortieth of a core
 * for a short queue, however many ask, and less for a long one. There nobody waits for a newer order either.
 */
const ageForEntryMs = (entries: number) => (entries < longQueue ? 0.2 : 1);

/** It may not be older than this, in ms, however long it is. */
const longestAgeMs = 15_000;

/** Unless it is older than this, in ms: nobody has asked for a while. */
const oldMs = 60_000;

/** Rows that are read at a time: between two batches other requests get their turn. */
const batchSize = 1_000;

/** The last order that was read, and the reading under way; everybody in a process shares them. */
interface Readings {
  last?: QueueOrder;
  underWay?: Promise<QueueOrder> | undefined;
}
const readingsOf = new WeakMap<Db, Readings>();

/**
 * The place of a generation in the queue. Many clients ask for many places all the time, so the order is read once for
 * all of them and may be a moment old.
 * @returns the place, from 1, or null when the generation is not queued
 */
export async function queuePosition(
  db: Db,
  row: Pick<GenerationRow, 'state' | 'priority' | 'created_at'>,
): Promise<number | null> {
  if (row.state !== 'queued') return null;
  return countBefore(await currentOrder(db), row.priority, row.created_at.getTime()) + 1;
}

async function currentOrder(db: Db): Promise<QueueOrder> {
  const readings = readingsOf.get(db) ?? {};
  readingsOf.set(db, readings);
  const { last } = readings;
  const age = last ? performance.now() - last.readAt : Number.POSITIVE_INFINITY;
  const entries = last?.priorities.length ?? 0;
  if (last && age < Math.min(longestAgeMs, entries * ageForEntryMs(entries))) return last;
  readings.underWay ??= readOrder(db)
    .then((order) => {
      readings.last = order;
      return order;
    })
    .finally(() => {
      readings.underWay = undefined;
    });
  if (!last || entries < longQueue || age > oldMs) return readings.underWay;
  // Whoever asks next is told of a failed reading, if it goes on failing.
  readings.underWay.catch(() => {});
  return last;
}

async function readOrder(db: Db): Promise<QueueOrder> {
  const readAt = performance.now();
  const priorities: number[] = [];
  const createdAt: number[] = [];
  // The driver's collection, because mongoose would create a document for each entry. The index alone answers this.
  const rows = modelsOf(db)
    .generations.collection.find<Pick<GenerationRow, 'priority' | 'created_at'>>({ state: 'queued' })
    .project<Pick<GenerationRow, 'priority' | 'created_at'>>({ _id: 0, priority: 1, created_at: 1 })
    .sort({ priority: 1, created_at: 1 })
    .batchSize(batchSize);
  for await (const row of rows) {
    priorities.push(row.priority);
    createdAt.push(row.created_at.getTime());
  }
  return { priorities: Int32Array.from(priorities), createdAt: Float64Array.from(createdAt), readAt };
}

/** How many go before one with this priority and time, by binary search. */
function countBefore({ priorities, createdAt }: QueueOrder, priority: number, created: number): number {
  let low = 0;
  let high = priorities.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = priorities[middle]!;
    if (first < priority || (first === priority && createdAt[middle]! < created)) low = middle + 1;
    else high = middle;
  }
  return low;
}
