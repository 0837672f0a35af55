/** The processes of a stack: they start, fail and end together. */
import { type ProcessOptions, type RunningProcess, StackError, startProcess } from './process.ts';

/** Programs end before the services that they use. */
type Kind = 'program' | 'service';

export interface ProcessGroup {
  /** Aborted when the start is given up. */
  readonly signal: AbortSignal;
  /** Resolves with what to tell the developer when a process has ended. */
  readonly failure: Promise<StackError>;
  /** Starts a process that ends with the group. @throws StackError when it does not become ready */
  start(kind: Kind, options: Omit<ProcessOptions, 'signal'>): Promise<RunningProcess>;
  /**
   * Waits for all tasks of a start. If one fails, or a process ends, the others are aborted.
   * @throws the first error, when all tasks have settled
   */
  all<Tasks extends readonly unknown[]>(
    tasks: Tasks,
  ): Promise<{ -readonly [I in keyof Tasks]: Awaited<Tasks[I]> }>;
  /** Ends the programs, then the services. */
  close(): Promise<void>;
}

/** @param outerSignal gives up the start as well */
export function createProcessGroup(outerSignal?: AbortSignal): ProcessGroup {
  const abort = new AbortController();
  const signal = outerSignal === undefined ? abort.signal : AbortSignal.any([abort.signal, outerSignal]);
  const failure = Promise.withResolvers<StackError>();
  const processes: Record<Kind, RunningProcess[]> = { program: [], service: [] };
  const stopAll = (kind: Kind) => Promise.all(processes[kind].map((one) => one.stop()));
  return {
    signal,
    failure: failure.promise,
    async start(kind, options) {
      const one = await startProcess({ ...options, signal });
      processes[kind].push(one);
      void one.ended.then(failure.resolve);
      return one;
    },
    async all(tasks) {
      try {
        const results = await Promise.race([Promise.all(tasks), failure.promise]);
        if (results instanceof StackError) throw results;
        return results;
      } catch (error) {
        abort.abort();
        // `close` knows a process only when its start has settled.
        await Promise.allSettled(tasks);
        throw error;
      }
    },
    async close() {
      await stopAll('program');
      await stopAll('service');
    },
  };
}
