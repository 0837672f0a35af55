import type { JobMessage, JobTypes, OutcomeMessage } from './job-process.ts';

/** Ends this process at once. A regular exit would wait for native code, and run its destructors beside it. */
export const killThisProcess = () => process.kill(process.pid, 'SIGKILL');

/**
 * Does the jobs that come from the process that started this one, and ends when that process does (job-process.ts).
 * @param outcomeOf must not throw
 */
export function serveJobs<Jobs extends JobTypes<Jobs>>(
  outcomeOf: (message: JobMessage<Jobs>) => Promise<unknown>,
): void {
  process.once('disconnect', killThisProcess);
  // Ctrl-C in a terminal reaches this process too, but its parent first finishes its work.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('message', async (message: JobMessage<Jobs>) => {
    sendOutcome({ id: message.id, outcome: await outcomeOf(message) });
  });
}

/**
 * Answers a job.
 * @param sent called when it is sent, or cannot be: without a callback, the error of a channel that has just closed is thrown
 */
export function sendOutcome(message: OutcomeMessage, sent: () => void = () => {}): void {
  process.send?.(message, sent);
}
