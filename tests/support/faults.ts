/** Crashes and lost replies between any two database operations of a piece of work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';

/**
 * What happens at a database operation:
 * `dies-before`  the process dies before the operation reaches the database
 * `dies-after`   the operation takes effect, and the process dies before it gets the reply
 * `refused`      the operation fails without any effect, and the process continues
 * `answer-lost`  the operation takes effect, but the process sees it fail and continues
 */
export const faultKinds = ['dies-before', 'dies-after', 'refused', 'answer-lost'] as const;

/** The kinds that `npm test` plants, because the operation has taken effect; the full tier plants the others. */
export const usualFaultKinds = ['dies-after', 'answer-lost'] as const;
export const otherFaultKinds = ['dies-before', 'refused'] as const;

export interface Fault {
  kind: (typeof faultKinds)[number];
  /** Index of the operation at which it happens, from 0. */
  at: number;
}

/** The error that interrupted work ends with. */
export class FaultError extends Error {
  override name = 'FaultError';
}

interface FaultRun {
  fault: Fault;
  operations: number;
}

const runs = new AsyncLocalStorage<FaultRun>();

/** Runs `work` with a fault injected into the operations that it makes through a {@link crashable} connection. */
export function withFault<Result>(fault: Fault | undefined, work: () => Promise<Result>): Promise<Result> {
  return fault === undefined ? work() : runs.run({ fault, operations: 0 }, work);
}

/** As {@link withFault}. @returns whether the work ended with the fault; another error is thrown */
export function meetsFault(fault: Fault | undefined, work: () => Promise<unknown>): Promise<boolean> {
  return withFault(fault, work).then(
    () => false,
    (error) => {
      if (error instanceof FaultError) return true;
      throw error;
    },
  );
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

/**
 * Makes a connection subject to {@link withFault}. It must not be a connection that other code uses.
 * @returns the same db
 */
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
  const current = runs.getStore();
  if (current === undefined) return operation();
  const { kind, at } = current.fault;
  const index = current.operations;
  current.operations += 1;
  const error = new FaultError(`${kind} at operation ${index} (${name})`);
  const dead = kind.startsWith('dies') && index > at;
  const fails = dead || index === at;
  // `find` returns a cursor, not a promise. A read has no effect, so it may fail before it is made in every case.
  if (fails && name === 'find') throw error;
  if (dead || (index === at && (kind === 'dies-before' || kind === 'refused'))) return Promise.reject(error);
  if (index !== at) return operation();
  return Promise.resolve(operation()).then(() => Promise.reject(error));
}
