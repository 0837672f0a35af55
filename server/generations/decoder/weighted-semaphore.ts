import { AppError } from '#shared/platform/errors.ts';

/** Bounds the total weight of running tasks; further tasks wait, first come first served. */
export interface WeightedSemaphore {
  /**
   * Runs a task when it is its turn.
   * @param weight more than the semaphore's weight counts as the whole
   * @throws AppError UNAVAILABLE when too many tasks wait, or this one waited too long
   */
  use<Result>(weight: number, task: () => Promise<Result>): Promise<Result>;
}

export interface WeightedSemaphoreOptions {
  /** Maximum total weight of running tasks. */
  weight: number;
  /** Maximum number of running tasks. */
  maxRunning: number;
  /** Maximum number of waiting tasks. */
  maxWaiting: number;
  /** Maximum time that a task waits, in seconds. */
  maxWaitSeconds: number;
}

/** `Retry-After` of a task that could not run, in seconds. */
const retryAfterSeconds = 10;

export function createWeightedSemaphore(options: WeightedSemaphoreOptions): WeightedSemaphore {
  const waiting: { weight: number; start: () => void }[] = [];
  let [runningWeight, running] = [0, 0];

  const startNext = () => {
    for (;;) {
      const next = waiting[0];
      if (!next || running >= options.maxRunning || runningWeight + next.weight > options.weight) return;
      waiting.shift();
      running += 1;
      runningWeight += next.weight;
      next.start();
    }
  };

  const waitForTurn = (weight: number) =>
    new Promise<void>((resolve, reject) => {
      const entry = {
        weight,
        start: () => {
          clearTimeout(timeout);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(new AppError('UNAVAILABLE', { retryAfterSeconds }));
        // The next task may be lighter.
        startNext();
      }, options.maxWaitSeconds * 1_000);
      waiting.push(entry);
      startNext();
    });

  return {
    async use(requestedWeight, task) {
      const weight = Math.min(requestedWeight, options.weight);
      if (waiting.length >= options.maxWaiting) throw new AppError('UNAVAILABLE', { retryAfterSeconds });
      await waitForTurn(weight);
      try {
        return await task();
      } finally {
        running -= 1;
        runningWeight -= weight;
        startNext();
      }
    },
  };
}
