import { limits } from '../shared/contract/index.ts';
import type { Data } from '../shared/data/connect.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * Limits sign-in attempts for an address (seed §5, §9), known or not, for all servers together.
 * @returns a function that takes the address and throws Refusal RATE_LIMITED
 */
export function createSignInLimit(data: Data): (email: string) => Promise<void> {
  return createRateLimit(data, {
    name: 'sign_in_attempts',
    points: limits.signInAttempts,
    seconds: limits.signInWindowSeconds,
    message: (seconds) => `Too many failed attempts. Please try again in ${seconds} seconds.`,
  });
}
