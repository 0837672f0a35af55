import { limits } from '#contract';
import { createRateLimit, type RateLimit } from '#server/http/rate-limit.ts';
import type { Db } from '#shared/data/db.ts';

/**
 * Limits sign-in attempts for an address, known or not, for all servers together. Those of a known device are limited
 * separately.
 * @returns a function that takes the address, or the key of the device, and throws AppError RATE_LIMITED
 */
export function createSignInLimit(db: Db): RateLimit {
  return createRateLimit(db, {
    name: 'sign_in_attempts',
    points: limits.signInAttempts,
    seconds: limits.signInWindowSeconds,
    message: (seconds) => `Too many failed attempts. Please try again in ${seconds} seconds.`,
  });
}
