import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import type { JobMessage, JobName, Jobs, Outcome, OutcomeMessage } from './jobs.ts';

/** Thrown when a decoder process ended before it answered a job. */
export class DecoderEnded extends Error {
  override name = 'DecoderEnded';
  /** Whether the process crashed, as opposed to being killed from outside. */
  readonly crashed: boolean;

  constructor(signal: NodeJS.Signals | null) {
    super(`a decoder process ended${signal === null ? '' : ` by ${signal}`}`);
    this.crashed = signal !== null && crashSignals.has(signal);
  }
}

/**
 * Added to the server's niceness. On Linux the process gets a quarter of a core while the server needs the rest, which is
 * enough to finish on a busy machine.
 */
const niceness = 5;
const mostNiceness = constants.priority.PRIORITY_LOW;

const crashSignals: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/** A process that decodes photos. */
export interface DecoderProcess {
  pid: number | undefined;
  /** Names of the running jobs. */
  jobs(): JobName[];
  /**
   * Runs a job.
   * @param timeoutMs after this time the process is killed: this job is refused with UNAVAILABLE, and its other jobs throw
   *   DecoderEnded
   * @throws DecoderEnded
   */
  run<Name extends JobName>(
    name: Name,
    given: Jobs[Name]['given'],
    timeoutMs: number,
  ): Promise<Outcome<Name>>;
  /** Resolves when the process has ended or is being killed. */
  ended: Promise<void>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

interface RunningJob {
  name: JobName;
  resolve(outcome: Outcome): void;
  reject(error: DecoderEnded): void;
  timeout: NodeJS.Timeout;
}

/** Starts a decoder process with a lower priority than the server. */
export function startDecoderProcess(): DecoderProcess {
  const child = fork(new URL('main.ts', import.meta.url), {
    execArgv: [],
    // No settings, so that a process that decodes untrusted files has no secrets. The arena is as in `childEnvironment`.
    env: { MALLOC_ARENA_MAX: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A running decoder must not keep the server's process alive. Requests wait for their jobs anyway.
  child.unref();
  child.channel?.unref();
  // Handled where the process ends.
  child.on('error', () => {});
  lowerPriority(child.pid);

  const running = new Map<number, RunningJob>();
  let lastId = 0;
  const finish = (id: number): RunningJob | undefined => {
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
    for (const id of [...running.keys()]) finish(id)?.reject(new DecoderEnded(signal));
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
    run<Name extends JobName>(name: Name, given: Jobs[Name]['given'], timeoutMs: number) {
      return new Promise<Outcome<Name>>((resolve, reject) => {
        if (isGone) return reject(new DecoderEnded(null));
        lastId += 1;
        const id = lastId;
        const timeout = setTimeout(() => {
          finish(id)?.resolve({ refused: 'UNAVAILABLE' });
          void kill();
        }, timeoutMs);
        running.set(id, { name, resolve: resolve as (outcome: Outcome) => void, reject, timeout });
        // If the channel is closed, the process has ended, which rejects the job.
        child.send({ id, name, given } as JobMessage, () => {});
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

/** Must be called before the process starts threads, which inherit its priority. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(mostNiceness, getPriority() + niceness));
  } catch {
    // The process has already ended.
  }
}
