import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** The jobs of a process by name: what each is given, and what it answers. */
export type JobTypes<Jobs> = { [Name in keyof Jobs]: { given: object; outcome: unknown } };

/** The messages to a process of jobs and from it. */
export type JobMessage<Jobs extends JobTypes<Jobs>> = {
  [Name in keyof Jobs]: { id: number; name: Name; given: Jobs[Name]['given'] };
}[keyof Jobs];
export interface OutcomeMessage {
  id: number;
  outcome: unknown;
}

/** Thrown when a process ended before it answered a job. */
export class JobProcessEnded extends Error {
  override name = 'JobProcessEnded';
  /** Whether the process crashed, as opposed to being killed from outside. */
  readonly crashed: boolean;

  constructor(signal: NodeJS.Signals | null) {
    super(`the process ended${signal === null ? '' : ` by ${signal}`}`);
    this.crashed = signal !== null && crashSignals.has(signal);
  }
}

/** Thrown when a process was killed because a job took too long. */
export class JobTimedOut extends Error {
  override name = 'JobTimedOut';
}

/**
 * New objects of JavaScript get 2 MB instead of 16, which fill with garbage before it is collected: 40 MB less in a process of
 * jobs, 100 MB in a server. And sources are read without types where they were stripped before
 * (docs/decisions/0133-what-waits-in-memory.md).
 */
export const memoryFlags: readonly string[] = [
  '--max-semi-space-size=2',
  '--import',
  new URL('stripped-types.mjs', import.meta.url).href,
];

/**
 * Added to the niceness of the process that starts it. On Linux it gets a quarter of a core while its parent needs the
 * rest, which is enough to finish on a busy machine.
 */
const niceness = 5;
const mostNiceness = constants.priority.PRIORITY_LOW;

const crashSignals: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/**
 * A process that does jobs in native code, which may crash or hang: then only this process ends. A thread could not be
 * ended in the middle of native code without ending the whole process.
 */
export interface JobProcess<Jobs extends JobTypes<Jobs>> {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  /** Names of the running jobs. */
  jobs(): (keyof Jobs)[];
  /**
   * Runs a job.
   * @param timeoutMs after this time the process is killed: this job throws JobTimedOut, its other jobs JobProcessEnded
   * @throws JobTimedOut, JobProcessEnded
   */
  run<Name extends keyof Jobs>(
    name: Name,
    given: Jobs[Name]['given'],
    timeoutMs: number,
  ): Promise<Jobs[Name]['outcome']>;
  /** Resolves when the process has ended or is being killed. */
  ended: Promise<void>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

interface RunningJob<Jobs> {
  name: keyof Jobs;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
  timeout: NodeJS.Timeout;
}

/**
 * Starts a process of jobs with a lower priority than this one. It does not keep this process alive, and ends with it.
 * @param program a module that calls `serveJobs` (serve-jobs.ts)
 * @param options readable: folders and files that its JavaScript may read; it may then write nothing, and start neither
 *   processes nor, unless `threads` is set, threads, which have the same permissions. Native code is not held by this.
 *   args: of its command line
 *   givenUpFirst: it gets processor time only when no other process needs it, and is the first that Linux ends when memory
 *   runs out
 */
export function startJobProcess<Jobs extends JobTypes<Jobs>>(
  program: URL,
  {
    readable,
    threads = false,
    args = [],
    givenUpFirst = false,
  }: {
    readable?: readonly string[];
    threads?: boolean;
    args?: readonly string[];
    givenUpFirst?: boolean;
  } = {},
): JobProcess<Jobs> {
  const child = fork(program, args, {
    // Not this process's flags: a second inspector could not listen at the same port.
    execArgv: [...memoryFlags, ...(readable === undefined ? [] : permissionFlags(readable, threads))],
    // No settings, so that a process that decodes untrusted files has no secrets. The arena is as in `childEnvironment`.
    env: { MALLOC_ARENA_MAX: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  // Handled where the process ends.
  child.on('error', () => {});
  lowerPriority(child.pid, givenUpFirst ? mostNiceness : niceness);
  preferToEnd(child.pid, givenUpFirst ? 1_000 : 500);

  const running = new Map<number, RunningJob<Jobs>>();
  let lastId = 0;
  const finish = (id: number): RunningJob<Jobs> | undefined => {
    const job = running.get(id);
    clearTimeout(job?.timeout);
    running.delete(id);
    return job;
  };
  child.on('message', ({ id, outcome }: OutcomeMessage) => finish(id)?.resolve(outcome));

  const ended = Promise.withResolvers<void>();
  // Without a pid the process could not be started, and has no channel.
  let isGone = child.pid === undefined;
  const gone = signalOf(child).then((signal) => {
    isGone = true;
    ended.resolve();
    for (const id of [...running.keys()]) finish(id)?.reject(new JobProcessEnded(signal));
  });
  const kill = async () => {
    ended.resolve();
    child.ref();
    child.kill('SIGKILL');
    await gone;
  };

  return {
    pid: child.pid,
    jobs: () => [...running.values()].map(({ name }) => name),
    run(name, given, timeoutMs) {
      return new Promise((resolve, reject) => {
        if (isGone) return reject(new JobProcessEnded(null));
        lastId += 1;
        const id = lastId;
        const timeout = setTimeout(() => {
          finish(id)?.reject(new JobTimedOut(`no answer in ${timeoutMs} ms`));
          void kill();
        }, timeoutMs).unref();
        running.set(id, { name, resolve: resolve as RunningJob<Jobs>['resolve'], reject, timeout });
        // If the channel is closed, the process has ended, which rejects the job.
        child.send({ id, name, given } as JobMessage<Jobs>, () => {});
      });
    },
    ended: ended.promise,
    kill,
  };
}

/** Resolves when a process has ended, with the signal that ended it. */
async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  try {
    // After `exit`, its last answers may still be in the channel until `disconnect`.
    const [[, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return signal;
  } catch {
    // The process could not be started.
    return null;
  }
}

/** Flags of Node's permission model, without which everything is allowed. */
function permissionFlags(readable: readonly string[], threads: boolean): string[] {
  return [
    '--permission',
    '--allow-addons',
    // It says on each start that native code is not held, and that threads are allowed.
    '--disable-warning=PERM0001',
    ...(threads ? ['--allow-worker', '--disable-warning=PERM0006'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Added to a program's own score for its processes: Kubernetes gives containers scores that are often above 500. */
const aboveOwnScore = 50;

/** When Linux runs out of memory, it should kill that process and not this one. @param score thousandths of all memory */
function preferToEnd(pid: number | undefined, score: number): void {
  try {
    if (pid === undefined) return;
    const own = Number(readFileSync('/proc/self/oom_score_adj', 'utf8'));
    writeFileSync(
      `/proc/${pid}/oom_score_adj`,
      String(Math.max(score, Math.min(1_000, own + aboveOwnScore))),
    );
  } catch {
    // Not Linux, not permitted, or the process has already ended.
  }
}

/** Must be called before the process starts threads, which inherit its priority. */
function lowerPriority(pid: number | undefined, by: number): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(mostNiceness, getPriority() + by));
  } catch {
    // The process has already ended.
  }
}
