const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;

/**
 * Exponential backoff for calls of other services: 30 s, doubling up to an hour.
 * @param tries failed tries so far, from 1
 * @returns ms until the next one
 */
export function retryDelayMs(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1));
}

/** When the next try is due (see {@link retryDelayMs}). */
export function retryDue(tries: number): Date {
  return new Date(Date.now() + retryDelayMs(tries));
}
