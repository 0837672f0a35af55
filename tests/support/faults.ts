/** Processes that die, and answers that get lost, between any two steps that they make in the database. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '#shared/data/db.ts';
import { connectionOf } from '#shared/data/models.ts';

/**
 * What happens at a database operation:
 * `dies-before`  the process ends before the operation reaches the database
 * `dies-after`   the database has done it, the process ends before it hears so
 * `refused`      the operation fails and changes nothing; the process lives on
 * `answer-lost`  the database has done it, the process is told that it failed and lives on
 */
export const faultKinds = ['dies-before', 'dies-after', 'refused', 'answer-lost'] as const;

export interface Fault {
  kind: (typeof faultKinds)[number];
  /** The operation at which it happens, from 0. */
  at: number;
}

/** What the broken-off work ends with. */
export class FaultError extends Error {
  override name = 'FaultError';
}

interface FaultRun {
  fault: Fault;
  operations: number;
}

const courses = new AsyncLocalStorage<FaultRun>();

/** Runs work whose database operations, made through a {@link crashable} connection, meet a fault. */
export function withFault<Result>(fault: Fault | undefined, work: () => Promise<Result>): Promise<Result> {
  return fault === undefined ? work() : courses.run({ fault, operations: 0 }, work);
}

const operationNames = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'insertOne',
  'findOneAndDelete',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
] as const;

/** Makes the operations of a connection of its own meet the fault of the work that makes them. @returns the same data */
export function crashable(db: Db): Db {
  for (const model of Object.values(connectionOf(db).models)) {
    const collection = model.collection as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const name of operationNames) {
      const operation = collection[name]!.bind(model.collection);
      collection[name] = (...given) => run(name, () => operation(...given));
    }
  }
  return db;
}

function run(name: string, operation: () => unknown): unknown {
  const course = courses.getStore();
  if (course === undefined) return operation();
  const { kind, at } = course.fault;
  const place = course.operations;
  course.operations += 1;
  const error = new FaultError(`${kind} at operation ${place} (${name})`);
  const dead = kind.startsWith('dies') && place > at;
  const fails = dead || place === at;
  // A cursor is not a promise, and a read that was made is as good as one that was not.
  if (fails && name === 'find') throw error;
  if (dead || (place === at && (kind === 'dies-before' || kind === 'refused'))) return Promise.reject(error);
  if (place !== at) return operation();
  return Promise.resolve(operation()).then(() => Promise.reject(error));
}
