import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Counts one request for a key. @throws AppError RATE_LIMITED when there were too many */
export interface RateLimit {
  (key: string): Promise<void>;
  /** Counts one request for a key. @returns whether it is within the limit */
  allows(key: string): Promise<boolean>;
  /** Resets the count of a key. */
  forget(key: string): Promise<void>;
}

/**
 * Limits how often something may be done for a key. Counts are in MongoDB, so that all servers share them.
 * @param rule `name`: the collection; `points`: allowed requests per window; `seconds`: length of the window; `message`:
 *   the message of the error, given the seconds to wait; `remembered`: each server refuses a key that has reached its limit
 *   from memory until the window ends (`forget` then works for this server only)
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
  // Keys contain email and network addresses, which must not be stored in plain text.
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
    async allows(key: string) {
      try {
        await take(key);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
    async forget(key: string) {
      await limiter.delete(hashed(key));
    },
  });
}
