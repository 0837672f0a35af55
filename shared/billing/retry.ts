const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;

/** When something that failed so often is tried again: after 30 s, then twice as long each time up to an hour. */
export function retryDue(tries: number): Date {
  return new Date(Date.now() + Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries - 1, 10)));
}
