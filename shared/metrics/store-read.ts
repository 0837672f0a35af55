import { setTimeout as wait } from 'node:timers/promises';

/** How often a store may be read, and how long it may take, in ms. */
export interface ReadLimits {
  everyMs: number;
  deadlineMs: number;
}

/** Several Prometheus servers may scrape; its own limit on a scrape is ten seconds. */
const usualLimits: ReadLimits = { everyMs: 4_000, deadlineMs: 2_000 };

/** The outcome of a reading. */
interface Reading<Value> {
  at: number;
  value: Value | undefined;
}

/**
 * Bounds what scrapes cost a store: it is read at most once per `everyMs`, never twice at once, and no scrape waits longer
 * than `deadlineMs`.
 * @param report called with the error of a reading that failed
 * @returns a function that gives the last value, or undefined if the store failed or does not answer in time
 */
export function createStoreRead<Value>(
  read: () => Promise<Value>,
  report: (error: unknown) => void,
  { everyMs, deadlineMs }: ReadLimits = usualLimits,
): () => Promise<Value | undefined> {
  let last: Reading<Value> | undefined;
  let underWay: Promise<Value | undefined> | undefined;

  async function begin(): Promise<Value | undefined> {
    let value: Value | undefined;
    try {
      value = await read();
    } catch (error) {
      report(error);
    }
    last = { at: performance.now(), value };
    underWay = undefined;
    return value;
  }

  return async () => {
    if (last && performance.now() - last.at < everyMs) return last.value;
    underWay ??= begin();
    const answered = new AbortController();
    try {
      return await Promise.race([
        underWay,
        wait(deadlineMs, undefined, { signal: answered.signal, ref: false }),
      ]);
    } finally {
      answered.abort();
    }
  };
}
