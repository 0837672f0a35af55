import type { Db } from '#shared/data/db.ts';
import { knownLanes } from '#shared/data/queue/queue-lanes.ts';
import {
  findQueueOrder,
  type QueueOrder,
  storeQueueOrder,
  takeReading,
} from '#shared/data/queue/queue-orders.ts';
import {
  type Lane,
  laneOf,
  promotedPriority,
  rangeOf,
  takenBefore,
  turnOf,
} from '#shared/platform/priorities.ts';
import { countRunning } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';

/* Positions come from orders of the queue that are kept for a moment (docs/decisions/0020-queue-positions-are-cached.md). */

/** What positions are found with. */
interface Line {
  order: QueueOrder;
  /** Claims in the band `first` of each lane since the last one in the band `standard`. */
  passed: Record<Lane, number>;
}

/** A queue with this many entries takes long enough to read to slow other queries down: one process reads it for all. */
const longQueue = 1_000;

/**
 * How old the order may be, in ms per entry. Reading an entry takes about 5 µs of CPU, so each process spends at most a
 * fortieth of a core on a short queue, and all of them together less on a long one, however many requests there are.
 */
const ageForEntryMs = (entries: number) => (entries < longQueue ? 0.2 : 1);

/** Maximum age of the order, in ms. */
const longestAgeMs = 15_000;

/** An order of a long queue that is older than this, in ms, is not used while a newer one is read. */
const oldMs = 60_000;

/** How long a process uses the order of a long queue before it looks for a newer one that another process has read, in ms. */
const shortestUseMs = 500;

/** How long a process may take to read the order for all of them, in ms. */
const leaseMs = 30_000;

/** What a process knows: its last line, and the promise of the next one while it is read. */
interface Known {
  last?: {
    line: Line;
    /** From then on a newer one is wanted, by `performance.now()`. */
    renewAt: number;
    /** From then on requests wait for a newer one, by `performance.now()`. */
    oldAt: number;
  };
  underWay?: Promise<Line> | undefined;
}
const knownOf = new WeakMap<Db, Known>();

/**
 * The position of a generation in the queue, from an order that is cached for a moment and shared by all requests.
 * @returns the position, from 1; null unless queued
 */
export async function queuePosition(
  db: Db,
  row: Pick<GenerationRow, 'state' | 'priority' | 'created_at'>,
): Promise<number | null> {
  if (row.state !== 'queued') return null;
  return takenFirst(await currentLine(db), row) + 1;
}

/** How many generations are taken before one (docs/decisions/0073-fair-order.md). */
function takenFirst({ order, passed }: Line, row: Pick<GenerationRow, 'priority' | 'created_at'>): number {
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
  return start + takenBefore(waiting, passed[lane], { band, index });
}

async function currentLine(db: Db): Promise<Line> {
  const known = knownOf.get(db) ?? {};
  knownOf.set(db, known);
  const { last } = known;
  const now = performance.now();
  if (last && now < last.renewAt) return last.line;
  const isOld = last !== undefined && now > last.oldAt;
  known.underWay ??= readLine(db, isOld ? undefined : last?.line.order)
    .then((line) => {
      known.last = { line, ...timesOf(line.order) };
      return line;
    })
    .finally(() => {
      known.underWay = undefined;
    });
  if (!last || isOld || last.line.order.entries < longQueue) return known.underWay;
  // If reading fails, the next request tries again.
  known.underWay.catch(() => {});
  return last.line;
}

function timesOf({ readAt, entries }: QueueOrder): { renewAt: number; oldAt: number } {
  const readAtHere = performance.now() - ageOf(readAt);
  const renewAt = readAtHere + longestUse(entries);
  const isLong = entries >= longQueue;
  return {
    renewAt: isLong ? Math.max(renewAt, performance.now() + shortestUseMs) : renewAt,
    oldAt: readAtHere + oldMs,
  };
}

/** Another machine's clock may be ahead. */
const ageOf = (readAt: number) => Math.max(0, Date.now() - readAt);

/** How long an order is used before a newer one is read, in ms. @param entries how many wait */
export function longestUse(entries: number): number {
  return Math.min(longestAgeMs, entries * ageForEntryMs(entries));
}

async function readLine(db: Db, last: QueueOrder | undefined): Promise<Line> {
  const [order, lanes] = await Promise.all([newerOrder(db, last), knownLanes(db)]);
  const counted = Object.fromEntries(lanes.map(({ _id, passed }) => [_id, passed]));
  return { order, passed: { single: 0, batch: 0, ...counted } };
}

/**
 * Reads the queue itself if it is short, or if this process is the one that reads a long one for all of them.
 * @param last what this process knows; undefined if it is old
 */
async function newerOrder(db: Db, last: QueueOrder | undefined): Promise<QueueOrder> {
  const wasShort = last !== undefined && last.entries < longQueue;
  const stored = wasShort ? null : await findQueueOrder(db, new Date(Date.now() - oldMs));
  const isLong = stored !== null && stored.entries >= longQueue;
  if (isLong) {
    const isRecent = ageOf(stored.readAt) < longestUse(stored.entries);
    // Requests wait if this process knows no order, but not for a long reading.
    if (isRecent || !last || !(await takeReading(db, stored, leaseMs))) return stored;
  }
  const order = await readQueueOrder(db);
  // A short one is stored, too, after a long one: the others would use that until it is old.
  if (isLong || order.entries >= longQueue) {
    // If it is not stored, the others read for themselves.
    await storeQueueOrder(db, order).catch(() => {});
  }
  return order;
}

/**
 * How many generations are made now: as read with the order of a short queue, which is at most a fifth of a second old; else
 * counted.
 */
export async function runningNow(db: Db): Promise<number> {
  const { entries, running } = (await currentLine(db)).order;
  return running !== undefined && entries < longQueue ? running : countRunning(db);
}

/** Rows per batch; between batches the event loop handles other requests. */
const batchSize = 1_000;

/** Reads the order of all generations that are queued, and counts those that are made. */
export async function readQueueOrder(db: Db): Promise<QueueOrder> {
  const readAt = Date.now();
  const priorities: number[] = [];
  const createdAt: number[] = [];
  let running = 0;
  // The driver's collection, because mongoose would create a document for each entry. The index alone answers this, in its own order:
  // all that are queued come first.
  const rows = generations(db)
    .collection.find({ state: { $in: ['queued', 'running'] } })
    .project<Pick<GenerationRow, 'state' | 'priority' | 'created_at'>>({
      _id: 0,
      state: 1,
      priority: 1,
      created_at: 1,
    })
    .sort({ state: 1, priority: 1, created_at: 1 })
    .batchSize(batchSize);
  for await (const row of rows) {
    if (row.state === 'running') {
      running += 1;
      continue;
    }
    priorities.push(row.priority);
    createdAt.push(row.created_at.getTime());
  }
  return {
    readAt,
    entries: priorities.length,
    step: 1,
    priorities: Int32Array.from(priorities),
    createdAt: Float64Array.from(createdAt),
    running,
  };
}

/**
 * The number of entries with a smaller priority, or the same one and an earlier time, by binary search. In a sample it is up
 * to `step - 1` too small.
 */
function countBefore(
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
