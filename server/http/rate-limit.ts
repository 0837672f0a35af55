import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Counts one more for a key, and throws Refusal RATE_LIMITED where that is too many. */
export interface RateLimit {
  (key: string): Promise<void>;
  /** Begins to count anew: what was counted turned out to be right. */
  forget(key: string): Promise<void>;
}

/**
 * Limits how often something may be done for a key, for all servers together: it is kept in MongoDB.
 * @param rule name: its collection; points: so often; seconds: in so long; message: what to say, given the seconds to wait;
 *   remembered: each server refuses a key that has reached its limit by itself until the time is over (`forget` is then
 *   for this server alone)
 */
export function createRateLimit(
  db: Db,
  rule: {
    name: string;
    points: number;
    seconds: number;
    message?: (seconds: number) => string;
    remembered?: boolean;
  },
): RateLimit {
  const limiter = openRateCounter(db, {
    collection: rule.name,
    points: rule.points,
    seconds: rule.seconds,
    ...(rule.remembered && { inMemoryBlock: true }),
  });
  // Hashed: addresses of strangers are nothing to keep.
  const hashed = (key: string) => createHash('sha256').update(key).digest('base64url');
  const take = async (key: string) => {
    try {
      await limiter.consume(hashed(key));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      const message = rule.message?.(retryAfterSeconds);
      throw new AppError('RATE_LIMITED', { retryAfterSeconds, ...(message && { message }) });
    }
  };
  return Object.assign(take, {
    async forget(key: string) {
      await limiter.delete(hashed(key));
    },
  });
}
