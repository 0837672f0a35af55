export interface PeriodicTask {
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * Runs a task again and again.
 * @param pauseMs time from the end of one run to the start of the next
 */
export function runPeriodically(
  pauseMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): PeriodicTask {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let current: Promise<void> = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      current = task()
        .catch(onError)
        .finally(() => {
          if (!stopped) schedule();
        });
    }, pauseMs);
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
