import { RateLimiterMongo } from 'rate-limiter-flexible';
import type { Db } from './db.ts';
import { connectionOf } from './models.ts';

/** A counter that all servers share; see the documentation of rate-limiter-flexible. */
export type RateCounter = RateLimiterMongo;

/**
 * Opens a counter of points by key.
 * @param rule collection: where it is stored; keyPrefix: put before each key, the collection's name unless given; points:
 *   how many in `seconds`; inMemoryBlock: each server refuses a key that has reached its limit without asking MongoDB
 *   until the time is over
 */
export function openRateCounter(
  db: Db,
  rule: { collection: string; keyPrefix?: string; points: number; seconds: number; inMemoryBlock?: boolean },
): RateCounter {
  return new RateLimiterMongo({
    storeClient: connectionOf(db),
    tableName: rule.collection,
    keyPrefix: rule.keyPrefix ?? rule.collection,
    points: rule.points,
    duration: rule.seconds,
    ...(rule.inMemoryBlock && { inMemoryBlockOnConsumed: rule.points }),
  });
}
