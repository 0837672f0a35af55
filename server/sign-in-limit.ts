import { createHash } from 'node:crypto';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '../shared/contract/index.ts';
import type { Data } from '../shared/data/connect.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Limits sign-in attempts for an address (seed §5, §9), known or not, for all servers together: it is kept in MongoDB.
 * @returns a function that takes the address and throws Refusal RATE_LIMITED
 */
export function createSignInLimit(data: Data): (email: string) => Promise<void> {
  const limiter = new RateLimiterMongo({
    storeClient: data.connection,
    tableName: 'sign_in_attempts',
    keyPrefix: 'sign_in',
    points: limits.signInAttempts,
    duration: limits.signInWindowSeconds,
  });
  return async (email) => {
    try {
      await limiter.consume(createHash('sha256').update(email).digest('base64url'));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      const message = `Too many failed attempts. Please try again in ${retryAfterSeconds} seconds.`;
      throw new Refusal('RATE_LIMITED', { message, retryAfterSeconds });
    }
  };
}
