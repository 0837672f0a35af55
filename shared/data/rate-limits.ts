import { RateLimiterMongo } from 'rate-limiter-flexible';
import { connectionOf } from './collection.ts';
import type { Db } from './db.ts';

/** A counter that all servers share; see the documentation of rate-limiter-flexible. */
export type RateCounter = RateLimiterMongo;

/** For how many ms this server refuses a key without asking MongoDB; 0 if it does not. See `inMemoryBlock`. */
export function refusedFromMemoryMs(counter: RateCounter, key: string): number {
  // Its types leave it out, although its documentation does not.
  const { getInMemoryBlockMsBeforeExpire: left } = counter as unknown as Record<
    string,
    (key: string) => number
  >;
  return left!.call(counter, counter.getKey(key));
}

/** Opened counters, because each new one creates its indexes. */
const counters = new WeakMap<Db, Map<string, RateCounter>>();

/**
 * Opens a counter of points by key, once for each rule.
 * @param rule collection: where it is stored; keyPrefix: put before each key, the collection's name unless given; points:
 *   how many in `seconds`; inMemoryBlock: each server refuses a key that has reached its limit without asking MongoDB
 *   until the time is over
 */
export function openRateCounter(
  db: Db,
  rule: { collection: string; keyPrefix?: string; points: number; seconds: number; inMemoryBlock?: boolean },
): RateCounter {
  const ofDb = counters.get(db) ?? new Map<string, RateCounter>();
  counters.set(db, ofDb);
  const name = JSON.stringify(rule);
  const opened = ofDb.get(name);
  if (opened !== undefined) return opened;
  const counter = new RateLimiterMongo({
    storeClient: connectionOf(db),
    tableName: rule.collection,
    keyPrefix: rule.keyPrefix ?? rule.collection,
    points: rule.points,
    duration: rule.seconds,
    ...(rule.inMemoryBlock && { inMemoryBlockOnConsumed: rule.points }),
  });
  ofDb.set(name, counter);
  return counter;
}
