/** A process of a stack that is started again when it has died or its sources have changed. */
import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessOptions, type RunningProcess, StackError, startProcess } from './process.ts';
import { watchSources } from './sources.ts';

/** How often a process that dies is started again. */
interface RestartLimit {
  most: number;
  /** The time in which it is started again so often at most, in ms. */
  withinMs: number;
  /** Added to the pause before each further start within that time, in ms. The first one follows at once. */
  pauseMs: number;
}

const defaultLimit: RestartLimit = { most: 5, withinMs: 10 * 60_000, pauseMs: 1_000 };

export interface SupervisedOptions extends Omit<ProcessOptions, 'signal' | 'startedAgain'> {
  /** Arguments that give it its first addresses again, if it has chosen them itself. */
  sameAddress?: (addresses: Pick<RunningProcess, 'url' | 'pageUrl'>) => readonly string[];
  /**
   * Folders of its sources, as absolute paths: it is started again when they change. When it does not get ready, or has
   * died too often, it waits for the next change.
   */
  sources?: readonly string[] | undefined;
  restartLimit?: RestartLimit | undefined;
}

export interface SupervisedProcess extends Pick<RunningProcess, 'url' | 'pageUrl'> {
  /** Resolves when it is not started again, with what to tell the developer. */
  failure: Promise<StackError>;
  /** Call when the stack serves. Before, it is not started again when it dies, unless it has sources. */
  keepRunning(): void;
  /** Ends it, also while it is being started again. */
  stop(): Promise<void>;
}

/**
 * Starts a process and resolves when it is ready.
 * @param signal gives up its start; afterwards it is not started again
 * @param report called with a line for the developer about each end and each further start
 * @throws StackError when it does not get ready
 */
export async function superviseProcess(
  options: SupervisedOptions,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<SupervisedProcess> {
  const { name, command, sameAddress, restartLimit: limit = defaultLimit } = options;
  const sources = options.sources && watchSources(options.sources);
  const closing = new AbortController();
  const givenUp = AbortSignal.any([signal, closing.signal]);
  const first = Promise.withResolvers<RunningProcess>();
  const failure = Promise.withResolvers<StackError>();
  let addresses: RunningProcess | undefined;
  let isKept = false;
  let restarts: number[] = [];

  /** Runs it once, and ends it when its sources change. @returns whether it got ready, and the changed file or its end */
  async function run(startedAgain: string | undefined, change: Promise<string> | undefined) {
    const changing = new AbortController();
    change?.then(() => changing.abort());
    let isReady = false;
    try {
      const again = addresses && sameAddress ? sameAddress(addresses) : [];
      const current = await startProcess({
        ...options,
        command: [...command, ...again],
        startedAgain,
        signal: AbortSignal.any([givenUp, changing.signal]),
      });
      isReady = true;
      if (addresses !== undefined) report(`${name} runs again`);
      addresses ??= current;
      first.resolve(current);
      const end = await Promise.race([current.ended, change ?? current.ended, aborted(closing.signal)]);
      await current.stop();
      return { isReady, end: end ?? (await current.ended) };
    } catch (error) {
      return { isReady, end: changing.signal.aborted ? await change! : (error as StackError) };
    }
  }

  /** @returns how often it has been started again lately, this time included; undefined when it was too often */
  function countRestart(): number | undefined {
    const now = performance.now();
    restarts = restarts.filter((at) => now - at < limit.withinMs);
    return restarts.length < limit.most ? restarts.push(now) : undefined;
  }

  /** Reports a death and waits until it may be started again. @returns whether it may */
  async function afterDeath(death: StackError, isReady: boolean, change: Promise<string> | undefined) {
    const times = isReady || sources === undefined ? countRestart() : undefined;
    const minutes = limit.withinMs / 60_000;
    if (times !== undefined) {
      report(
        `${death.message}. It is started again (${times} of at most ${limit.most} times in ${minutes} minutes)`,
      );
      await wait((times - 1) * limit.pauseMs, undefined, { signal: givenUp }).catch(() => {});
      return true;
    }
    if (change !== undefined) {
      report(`${death.message}. It is started again when a file changes`);
      await Promise.race([change, aborted(givenUp)]);
      return true;
    }
    const often = `${death.message}. It was started again ${limit.most} times in ${minutes} minutes`;
    failure.resolve(new StackError(often, death.logLines));
    return false;
  }

  async function supervise(): Promise<void> {
    let startedAgain: string | undefined;
    while (!givenUp.aborted) {
      const change = sources?.nextChange();
      const { isReady, end } = await run(startedAgain, change);
      if (givenUp.aborted) break;
      if (typeof end === 'string') {
        startedAgain = `${end} has changed: ${name} is started again`;
        report(startedAgain);
        continue;
      }
      if (!isKept && sources === undefined) {
        first.reject(end);
        return failure.resolve(end);
      }
      if (!(await afterDeath(end, isReady, change))) return;
      startedAgain = `${end.message.split('. ')[0]}, and is started again`;
    }
    first.reject(givenUp.reason);
  }
  const finished = supervise().finally(() => sources?.close());

  const { url, pageUrl } = await first.promise;
  return {
    url,
    pageUrl,
    failure: failure.promise,
    keepRunning() {
      isKept = true;
    },
    async stop() {
      closing.abort();
      await finished;
    },
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
