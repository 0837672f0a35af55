import type { JobProcess, JobTypes } from './job-process.ts';

/** A process of jobs that starts with a job, ends after a time without one, and then starts again with the next one. */
export interface IdleProcess<Jobs extends JobTypes<Jobs>> {
  run: JobProcess<Jobs>['run'];
  /** Id of the running process. */
  pid(): number | undefined;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

/** @param idleMs after this time without a job the process ends, and its memory is free */
export function createIdleProcess<Jobs extends JobTypes<Jobs>>(
  start: () => JobProcess<Jobs>,
  idleMs: number,
): IdleProcess<Jobs> {
  let current: JobProcess<Jobs> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function running(): JobProcess<Jobs> {
    if (current) return current;
    const started = start();
    void started.ended.then(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  }

  function endIdle(): void {
    const ended = current;
    if (!ended || ended.jobs().length > 0) return;
    // At once, so that no job is given to it any more.
    current = undefined;
    void ended.kill();
  }

  return {
    async run(name, given, timeoutMs) {
      clearTimeout(idle);
      try {
        return await running().run(name, given, timeoutMs);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(endIdle, idleMs).unref();
      }
    },
    pid: () => current?.pid,
    async kill() {
      clearTimeout(idle);
      await current?.kill();
    },
  };
}
