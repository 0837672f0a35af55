const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;

/**
 * How long something that an outside service did not take waits for its next try: 30 s, then twice as long each time up
 * to an hour.
 * @param tries so many have failed, from 1
 * @returns ms
 */
export function retryDelayMs(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1));
}

/** When something that has failed so often is tried again (see {@link retryDelayMs}). */
export function retryDue(tries: number): Date {
  return new Date(Date.now() + retryDelayMs(tries));
}
