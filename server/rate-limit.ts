import { createHash } from 'node:crypto';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Data } from '../shared/data/connect.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Limits how often something may be done for a key, for all servers together: it is kept in MongoDB.
 * @param rule name: its collection; points: so often; seconds: in so long; message: what to say, given the seconds to wait
 * @returns a function that takes the key and throws Refusal RATE_LIMITED
 */
export function createRateLimit(
  data: Data,
  rule: { name: string; points: number; seconds: number; message?: (seconds: number) => string },
): (key: string) => Promise<void> {
  const limiter = new RateLimiterMongo({
    storeClient: data.connection,
    tableName: rule.name,
    keyPrefix: rule.name,
    points: rule.points,
    duration: rule.seconds,
  });
  return async (key) => {
    try {
      // Hashed: addresses of strangers are nothing to keep.
      await limiter.consume(createHash('sha256').update(key).digest('base64url'));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      const message = rule.message?.(retryAfterSeconds);
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds, ...(message && { message }) });
    }
  };
}
