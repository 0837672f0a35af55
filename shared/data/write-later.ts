import type mongoose from 'mongoose';
import type { Db } from './db.ts';
import { type Models, modelsOf, runBeforeClose } from './models.ts';

/* Records that nobody waits for, such as figures for charts, are collected and written together: each statement costs
   worker and database about as much as a dozen operations within one. */

/** The collections whose records are written later. */
type Name = keyof Pick<Models, 'attempts' | 'durations' | 'minutes'>;

/** How long a record may wait, in ms. Also what a process loses at most when it is killed. */
const longestWaitMs = 500;

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
const waitingOf = new WeakMap<Db, Map<Name, Waiting>>();

/**
 * Writes a record within half a second, together with others, and before the handle is closed. In the order of the calls.
 * @returns when it is written @throws when it could not be written; then it is lost
 */
export function writeLater(
  db: Db,
  name: Name,
  operation: mongoose.mongo.AnyBulkWriteOperation,
): Promise<void> {
  const waiting = waitingFor(db, name);
  waiting.batch ??= begin(db, name, waiting);
  waiting.batch.operations.push(operation);
  return waiting.batch.written;
}

function waitingFor(db: Db, name: Name): Waiting {
  const all = waitingOf.get(db) ?? new Map<Name, Waiting>();
  waitingOf.set(db, all);
  const waiting = all.get(name) ?? { last: Promise.resolve() };
  all.set(name, waiting);
  return waiting;
}

function begin(db: Db, name: Name, waiting: Waiting): Batch {
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
      await modelsOf(db)[name].collection.bulkWrite(operations, { writeConcern: { w: 1 } });
    } finally {
      forget();
    }
  });
  waiting.last = written.catch(() => {});
  return { operations, written };
}
