import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter, refusedFromMemoryMs } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';
import { networkTiers } from '#shared/platform/network-tiers.ts';

/** What is left of a limit in the current window. */
interface RateLeft {
  requests: number;
  /** Until the window ends. */
  seconds: number;
}

/** Counts one request for a key. @throws AppError RATE_LIMITED when there were too many */
export interface RateLimit {
  (key: string): Promise<RateLeft>;
  /** Counts one request for a key. @returns whether it is within the limit */
  allows(key: string): Promise<boolean>;
  /** Resets the count of a key. */
  forget(key: string): Promise<void>;
  /** @throws AppError RATE_LIMITED if this server refuses a key from memory. Counts nothing */
  assertNotRemembered(key: string): void;
}

interface RateLimitRule {
  name: string;
  points: number;
  seconds: number;
  message?: (seconds: number) => string;
  remembered?: boolean;
}

/**
 * Limits how often something may be done for a key. Counts are in MongoDB, so that all servers share them.
 * @param rule `name`: the collection; `points`: allowed requests per window; `seconds`: length of the window; `message`:
 *   the message of the error, given the seconds to wait; `remembered`: each server refuses a key that has reached its limit
 *   from memory until the window ends (`forget` then works for this server only)
 */
export function createRateLimit(db: Db, rule: RateLimitRule): RateLimit {
  const limiter = openRateCounter(db, {
    collection: rule.name,
    points: rule.points,
    seconds: rule.seconds,
    ...(rule.remembered && { inMemoryBlock: true }),
  });
  // Keys contain email and network addresses, which must not be stored in plain text.
  const hashed = (key: string) => createHash('sha256').update(key).digest('base64url');
  const refusal = (waitMs: number) => {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    const message = rule.message?.(retryAfterSeconds);
    return new AppError('RATE_LIMITED', { retryAfterSeconds, ...(message && { message }) });
  };
  const take = async (key: string) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(hashed(key));
      return { requests: remainingPoints, seconds: Math.ceil(msBeforeNext / 1_000) };
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? refusal(refused.msBeforeNext) : refused;
    }
  };
  return Object.assign(take, {
    allows: (key: string) => succeeds(take(key)),
    async forget(key: string) {
      await limiter.delete(hashed(key));
    },
    assertNotRemembered(key: string) {
      const waitMs = refusedFromMemoryMs(limiter, hashed(key));
      if (waitMs > 0) throw refusal(waitMs);
    },
  });
}

/** Counts one request of a network. @throws AppError RATE_LIMITED when there were too many */
interface NetworkRateLimit {
  (network: string, what?: string): Promise<void>;
  /** Counts one request of a network. @returns whether it is within the limit */
  allows(network: string, what?: string): Promise<boolean>;
}

/**
 * Limits how often something may be done from a network, and from the wider networks that one client may have: each has a count
 * of its own and a larger number. `what` says for what; without it all requests count together.
 * @param rule as of `createRateLimit`; `points` are those of a network
 */
export function createNetworkRateLimit(db: Db, rule: RateLimitRule): NetworkRateLimit {
  const byTimes = new Map<number, RateLimit>();
  const limitOf = (times: number) => {
    const limit = byTimes.get(times) ?? createRateLimit(db, { ...rule, points: rule.points * times });
    byTimes.set(times, limit);
    return limit;
  };
  const take = async (network: string, what?: string) => {
    const counts = networkTiers(network).map((tier) => ({
      limit: limitOf(tier.times),
      key: what === undefined ? tier.network : `${what} ${tier.network}`,
    }));
    // All of them first: a flood from many networks of a wider one is refused without a write.
    for (const { limit, key } of counts) limit.assertNotRemembered(key);
    // In this order: what a network asks for beyond its limit does not count for its neighbours.
    for (const { limit, key } of counts) await limit(key);
  };
  return Object.assign(take, { allows: (network: string, what?: string) => succeeds(take(network, what)) });
}

/** @returns whether a request is within its limit */
async function succeeds(counting: Promise<unknown>): Promise<boolean> {
  try {
    await counting;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
