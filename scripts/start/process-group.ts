/** The processes of a stack: they start and end together, and one that dies is started again. */
import { StackError } from './process.ts';
import { type SupervisedOptions, type SupervisedProcess, superviseProcess } from './supervised-process.ts';

/** Programs end before the services that they use. */
type Kind = 'program' | 'service';

export interface ProcessGroup {
  /** Aborted when the start is given up. */
  readonly signal: AbortSignal;
  /** Resolves with what to tell the developer when a process has ended and is not started again. */
  readonly failure: Promise<StackError>;
  /** Starts a process that ends with the group. @throws StackError when it does not become ready */
  start(kind: Kind, options: SupervisedOptions): Promise<SupervisedProcess>;
  /**
   * Waits for all tasks of a start. If one fails, or a process ends, the others are aborted.
   * @throws the first error, when all tasks have settled
   */
  all<Tasks extends readonly unknown[]>(
    tasks: Tasks,
  ): Promise<{ -readonly [I in keyof Tasks]: Awaited<Tasks[I]> }>;
  /** Call when the start is complete: from now on, a process that dies is started again. */
  keepRunning(): void;
  /** Ends the programs, then the services. */
  close(): Promise<void>;
}

/**
 * @param report called with a line for the developer when a process has died, and when it runs again
 * @param outerSignal gives up the start as well; afterwards no process is started again
 */
export function createProcessGroup(report: (line: string) => void, outerSignal?: AbortSignal): ProcessGroup {
  const abort = new AbortController();
  const signal = outerSignal === undefined ? abort.signal : AbortSignal.any([abort.signal, outerSignal]);
  const failure = Promise.withResolvers<StackError>();
  const processes: Record<Kind, SupervisedProcess[]> = { program: [], service: [] };
  const stopAll = (kind: Kind) => Promise.all(processes[kind].map((one) => one.stop()));
  return {
    signal,
    failure: failure.promise,
    async start(kind, options) {
      const one = await superviseProcess(options, signal, report);
      processes[kind].push(one);
      void one.failure.then(failure.resolve);
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
    keepRunning() {
      for (const one of [...processes.program, ...processes.service]) one.keepRunning();
    },
    async close() {
      // A program must not be started again while the services end.
      abort.abort();
      await stopAll('program');
      await stopAll('service');
    },
  };
}
