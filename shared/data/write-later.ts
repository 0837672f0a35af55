import type mongoose from 'mongoose';
import { type Collection, runBeforeClose } from './collection.ts';
import type { Db } from './db.ts';

/* Records that nobody waits for, such as figures for charts, are collected and written together: each statement costs
   worker and database about as much as a dozen operations within one. */

/** How long a record may wait, in ms. Also what a process loses at most when it is killed. */
const longestWaitMs = 1_000;

/** Operations that wait, and the promise that they are written. */
interface Batch {
  operations: mongoose.mongo.AnyBulkWriteOperation[];
  written: Promise<void>;
}

/** What waits for one collection, and the last statement that was begun. */
interface Waiting {
  batch?: Batch | undefined;
  last: Promise<void>;
}
const waitingOf = new WeakMap<Db, Map<Collection, Waiting>>();

/**
 * Writes a record within a second, together with others, and before the handle is closed. In the order of the calls.
 * @returns when it is written @throws when it could not be written; then it is lost
 */
export function writeLater(
  db: Db,
  collection: Collection,
  operation: mongoose.mongo.AnyBulkWriteOperation,
): Promise<void> {
  const waiting = waitingFor(db, collection);
  waiting.batch ??= begin(db, collection, waiting);
  waiting.batch.operations.push(operation);
  return waiting.batch.written;
}

function waitingFor(db: Db, collection: Collection): Waiting {
  const all = waitingOf.get(db) ?? new Map<Collection, Waiting>();
  waitingOf.set(db, all);
  const waiting = all.get(collection) ?? { last: Promise.resolve() };
  all.set(collection, waiting);
  return waiting;
}

function begin(db: Db, collection: Collection, waiting: Waiting): Batch {
  const operations: Batch['operations'] = [];
  const due = Promise.withResolvers<void>();
  const timer = setTimeout(due.resolve, longestWaitMs);
  const forget = runBeforeClose(db, async () => {
    due.resolve();
    // Those who wait for their records get the error.
    await written.catch(() => {});
  });
  const written = Promise.all([due.promise, waiting.last]).then(async () => {
    clearTimeout(timer);
    waiting.batch = undefined;
    try {
      // Diagnostics: not worth waiting for other members of the replica set.
      await collection(db).collection.bulkWrite(operations, { writeConcern: { w: 1 } });
    } finally {
      forget();
    }
  });
  waiting.last = written.catch(() => {});
  return { operations, written };
}
