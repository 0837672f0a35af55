import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { takeLease } from '../lease.ts';
import { date, nullableDate, number, type Row, rowOptions, text } from '../row.ts';

const bytes = { type: Buffer, required: true } as const;

const queueOrder = {
  _id: text,
  /** When a process began to read it. */
  read_at: date,
  /** While a process reads the next one. */
  lease_until: nullableDate,
  /** How many generations waited. */
  entries: number,
  /** Every `step`-th entry is stored. */
  step: number,
  /** The stored entries: their priorities as Int32Array, and their times in ms since 1970 as Float64Array. */
  priorities: bytes,
  created_at: bytes,
};

/** The order of a long queue as one process read it for all of them (docs/decisions/0020-queue-positions-are-cached.md). */
export type QueueOrderRow = Row<typeof queueOrder>;

const queueOrderSchema = new Schema<QueueOrderRow>(queueOrder, rowOptions);

export const queueOrders = collection<QueueOrderRow>('queue_orders', queueOrderSchema, 'apart');

/** There is one. */
const _id = 'all';

/** The order of the queue at one time, or a sample of it. The next generation comes first. */
export interface QueueOrder {
  /** Milliseconds since 1970. */
  readAt: number;
  /** How many generations waited. */
  entries: number;
  /** Every `step`-th entry is here. */
  step: number;
  priorities: Int32Array;
  /** Milliseconds since 1970. */
  createdAt: Float64Array;
  /** How many generations were made at that time; absent in one that another process has read. */
  running?: number;
}

/** The most entries that are stored: 24 kB, and a place that is at most 0.05 % of the queue too early. */
const storedMost = 2_048;

/** @returns the order that a process stored last; null when it was read before `since`, or there is none */
export async function findQueueOrder(db: Db, since: Date): Promise<QueueOrder | null> {
  const row = await queueOrders(db)
    .findOne({ _id, read_at: { $gt: since } })
    .lean();
  if (!row) return null;
  return {
    readAt: row.read_at.getTime(),
    entries: row.entries,
    step: row.step,
    priorities: new Int32Array(copyOf(row.priorities)),
    createdAt: new Float64Array(copyOf(row.created_at)),
  };
}

/** mongoose gives the driver's `Binary` where its type says `Buffer`. Its bytes may begin anywhere in their buffer. */
function copyOf(stored: Buffer): ArrayBuffer {
  const { buffer } = stored as unknown as { buffer: Uint8Array };
  return Uint8Array.from(buffer).buffer;
}

/** Stores an order, or a sample of a long one. Nothing happens if a newer one is there. */
export async function storeQueueOrder(db: Db, order: QueueOrder): Promise<void> {
  const { readAt, entries, priorities, createdAt } = order;
  const step = Math.max(1, Math.ceil(entries / storedMost));
  const isStored = (_: number, index: number) => (index + 1) % step === 0 || index === entries - 1;
  const sampled = [priorities.filter(isStored), createdAt.filter(isStored)] as const;
  const [storedPriorities, storedTimes] = sampled.map(({ buffer }) => Buffer.from(buffer));
  const read_at = new Date(readAt);
  try {
    await queueOrders(db).updateOne(
      { _id, read_at: { $lt: read_at } },
      {
        $set: {
          read_at,
          lease_until: null,
          entries,
          step,
          priorities: storedPriorities!,
          created_at: storedTimes!,
        },
      },
      { upsert: true },
    );
  } catch (error) {
    // A newer one is there.
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Takes over to read the next order, so that one process does.
 * @param order the one that is stored
 * @param leaseMs another process may do it after this time
 * @returns false when another process does, or has
 */
export async function takeReading(db: Db, order: QueueOrder, leaseMs: number): Promise<boolean> {
  const same = { _id, read_at: new Date(order.readAt) };
  return (await takeLease(queueOrders(db), same, leaseMs)) !== null;
}
