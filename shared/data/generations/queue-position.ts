import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import { listLanes } from '#shared/data/queue-lanes.ts';
import {
  type Lane,
  laneOf,
  promotedPriority,
  rangeOf,
  takenBefore,
  turnOf,
} from '#shared/platform/priorities.ts';
import type { GenerationRow } from './schema.ts';

/** The order of the queue at one time: one entry per queued generation, the next one first. */
interface QueueOrder {
  priorities: Int32Array;
  /** Milliseconds since 1970. */
  createdAt: Float64Array;
  /** Claims in the band `first` of each lane since the last one in the band `standard`. */
  passed: Record<Lane, number>;
  /** When reading it began, from `performance.now()`. */
  readAt: number;
}

/** A queue with this many entries takes long enough to read to slow other queries down. */
const longQueue = 1_000;

/**
 * How old the order may be, in ms per entry. Reading an entry takes about 5 µs of CPU, so at most a fortieth of a core goes
 * into a short queue, and less into a long one, however many requests there are (docs/decisions/0020-queue-positions-are-cached.md).
 */
const ageForEntryMs = (entries: number) => (entries < longQueue ? 0.2 : 1);

/** Maximum age of the order, in ms. */
const longestAgeMs = 15_000;

/** An order of a long queue that is older than this, in ms, is not used while a newer one is read. */
const oldMs = 60_000;

/** Rows per batch; between batches the event loop handles other requests. */
const batchSize = 1_000;

/** The last order, and the promise of the next one while it is read. */
interface Readings {
  last?: QueueOrder;
  underWay?: Promise<QueueOrder> | undefined;
}
const readingsOf = new WeakMap<Db, Readings>();

/**
 * The position of a generation in the queue, from an order that is cached for a moment and shared by all requests.
 * @returns the position, from 1; null unless queued
 */
export async function queuePosition(
  db: Db,
  row: Pick<GenerationRow, 'state' | 'priority' | 'created_at'>,
): Promise<number | null> {
  if (row.state !== 'queued') return null;
  return takenFirst(await currentOrder(db), row) + 1;
}

/** How many generations are taken before one (docs/decisions/0073-fair-order.md). */
function takenFirst(order: QueueOrder, row: Pick<GenerationRow, 'priority' | 'created_at'>): number {
  const lane = laneOf(row.priority);
  const before = (priority: number) => countBefore(order, priority, Number.NEGATIVE_INFINITY);
  const [start, first, standard, end] = [
    promotedPriority(lane),
    rangeOf(lane, 'first').first,
    rangeOf(lane, 'standard').first,
    rangeOf(lane, 'standard').last + 1,
  ].map(before) as [number, number, number, number];
  const waiting = { promoted: first - start, first: standard - first, standard: end - standard };
  const band = turnOf(row.priority)?.band ?? null;
  const sameKind = band === null ? start : band === 'first' ? first : standard;
  const index = countBefore(order, row.priority, row.created_at.getTime()) - sameKind;
  return start + takenBefore(waiting, order.passed[lane], { band, index });
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
  // If reading fails, the next request tries again.
  readings.underWay.catch(() => {});
  return last;
}

async function readOrder(db: Db): Promise<QueueOrder> {
  const readAt = performance.now();
  const priorities: number[] = [];
  const createdAt: number[] = [];
  const lanes = listLanes(db);
  lanes.catch(() => {});
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
  const passed = {
    single: 0,
    batch: 0,
    ...Object.fromEntries((await lanes).map((lane) => [lane._id, lane.passed])),
  };
  return {
    priorities: Int32Array.from(priorities),
    createdAt: Float64Array.from(createdAt),
    passed,
    readAt,
  };
}

/** The number of entries with a smaller priority, or the same one and an earlier time, by binary search. */
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
