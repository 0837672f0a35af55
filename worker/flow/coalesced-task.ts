/** A task that is executed on request, one run at a time. Requests during a run cause one more run after it. */
export interface CoalescedTask {
  request(): void;
  /** Whether `stop` was called; a long run checks it and returns early. */
  isStopped(): boolean;
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

/** Creates a task that nobody has requested yet. @param onError receives the errors of its runs */
export function createCoalescedTask(
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): CoalescedTask {
  let requested = false;
  let stopped = false;
  let current: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (requested && !stopped) {
      requested = false;
      await task().catch(onError);
    }
    current = undefined;
  }

  return {
    request() {
      requested = true;
      if (!stopped) current ??= run();
    },
    isStopped: () => stopped,
    async stop() {
      stopped = true;
      await current;
    },
  };
}
