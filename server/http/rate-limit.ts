import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter, refusedFromMemoryMs } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';
import { networkTiers } from '#shared/platform/network-tiers.ts';

/** What is left of a limit in the current window. */
export interface RateLeft {
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
  atOnce?: number;
}

/** Requests that a server has taken of a limit in advance. */
interface Advance {
  left: number;
  /** What is left of the limit besides. */
  beyond: number;
  /** When the window ends, as of `performance.now()`. */
  until: number;
}

/**
 * Limits how often something may be done for a key. Counts are in MongoDB, so that all servers share them.
 * @param rule `name`: the collection; `points`: allowed requests per window; `seconds`: length of the window; `message`:
 *   the message of the error, given the seconds to wait; `remembered`: each server refuses a key that has reached its limit
 *   from memory until the window ends (`forget` then works for this server only); `atOnce`: a server takes so many requests of a
 *   key in one statement and counts them in its memory, unless `points` is no multiple of it. Nobody gets more than `points`.
 *   What a server has taken and not used is lost to the others until the window ends: with n servers a key may be refused up to
 *   (n - 1) * (atOnce - 1) requests early
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
  const consume = async (key: string, points: number) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(hashed(key), points);
      return { requests: remainingPoints, seconds: Math.ceil(msBeforeNext / 1_000), msBeforeNext };
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? refusal(refused.msBeforeNext) : refused;
    }
  };
  // Where they do not go into the limit, the last ones could not be taken.
  const atOnce = rule.atOnce !== undefined && rule.points % rule.atOnce === 0 ? rule.atOnce : 1;
  const takeOne = async (key: string): Promise<RateLeft> => {
    const { requests, seconds } = await consume(key, 1);
    return { requests, seconds };
  };
  const take = atOnce === 1 ? takeOne : inAdvance((key) => consume(key, atOnce), atOnce);
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

/**
 * Takes requests of a limit in advance, and hands them out one by one.
 * @param consume takes `atOnce` of them for a key. @throws when so many are not left
 */
function inAdvance(
  consume: (key: string) => Promise<RateLeft & { msBeforeNext: number }>,
  atOnce: number,
): (key: string) => Promise<RateLeft> {
  const advances = new Map<string, Advance>();
  const underWay = new Map<string, Promise<void>>();
  const begin = async (key: string) => {
    const { requests, msBeforeNext } = await consume(key);
    const now = performance.now();
    // A map keeps insertion order, so those whose window has ended are at the front.
    for (const [old, { until }] of advances) {
      if (until > now) break;
      advances.delete(old);
    }
    advances.delete(key);
    advances.set(key, { left: atOnce, beyond: requests, until: now + msBeforeNext });
  };
  return async (key) => {
    for (;;) {
      const advance = advances.get(key);
      const now = performance.now();
      if (advance && advance.left > 0 && now < advance.until) {
        advance.left -= 1;
        return {
          requests: advance.beyond + advance.left,
          seconds: Math.ceil((advance.until - now) / 1_000),
        };
      }
      // Those who come meanwhile wait for the same ones: nobody is refused while some are left in this server.
      const begun = underWay.get(key) ?? begin(key).finally(() => underWay.delete(key));
      underWay.set(key, begun);
      await begun;
    }
  };
}

/** Counts one request of a network. @returns the least that is left of a count. @throws AppError RATE_LIMITED when there were too many */
interface NetworkRateLimit {
  (network: string, what?: string): Promise<RateLeft>;
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
    const left: RateLeft[] = [];
    for (const { limit, key } of counts) left.push(await limit(key));
    return left.reduce((least, each) => (each.requests < least.requests ? each : least));
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
