import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import type { JobMessage, JobName, Jobs, Outcome, OutcomeMessage } from './jobs.ts';

/** Thrown for a job whose process ended before it had answered. */
export class DecoderEnded extends Error {
  override name = 'DecoderEnded';
  /** Whether the decoder itself crashed, and was not ended from outside. */
  readonly crashed: boolean;

  constructor(signal: NodeJS.Signals | null) {
    super(`a decoder process ended${signal === null ? '' : ` by ${signal}`}`);
    this.crashed = signal !== null && crashSignals.has(signal);
  }
}

/**
 * Beside work of the server it gets a quarter of a core (on Linux, where both want one), and more while the server waits
 * for something; a busy machine must not keep it from ending.
 */
const niceness = 5;
const mostNiceness = constants.priority.PRIORITY_LOW;

const crashSignals: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/** A process that unpacks photos. */
export interface DecoderProcess {
  pid: number | undefined;
  /** Names of the jobs under way. */
  jobs(): JobName[];
  /**
   * Has a job done.
   * @param mostMs after which the process is killed: this job comes to UNAVAILABLE, others of it end with DecoderEnded
   * @throws DecoderEnded
   */
  run<Name extends JobName>(name: Name, given: Jobs[Name]['given'], mostMs: number): Promise<Outcome<Name>>;
  /** Resolves when it has ended, or was told to. */
  ended: Promise<void>;
  /** kill -9, and resolves when it is gone. */
  kill(): Promise<void>;
}

interface JobUnderWay {
  name: JobName;
  resolve(outcome: Outcome): void;
  reject(error: DecoderEnded): void;
  late: NodeJS.Timeout;
}

/** Starts a process that unpacks photos, behind everything else that the machine has to do. */
export function startDecoderProcess(): DecoderProcess {
  const child = fork(new URL('main.ts', import.meta.url), {
    execArgv: [],
    // No settings: what reads strangers' files knows no secret. The arena as in `childEnvironment`.
    env: { MALLOC_ARENA_MAX: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Requests wait for their answer anyway; nothing else is to wait for this process.
  child.unref();
  child.channel?.unref();
  // What it means is said by its end.
  child.on('error', () => {});
  lowerPriority(child.pid);

  const underWay = new Map<number, JobUnderWay>();
  let lastId = 0;
  const finish = (id: number): JobUnderWay | undefined => {
    const job = underWay.get(id);
    clearTimeout(job?.late);
    underWay.delete(id);
    return job;
  };
  child.on('message', ({ id, outcome }: OutcomeMessage) => finish(id)?.resolve(outcome));

  const told = Promise.withResolvers<void>();
  // Where the machine has no room for another process there is no channel either.
  let isGone = child.pid === undefined;
  const gone = signalOf(child).then((signal) => {
    isGone = true;
    told.resolve();
    for (const id of [...underWay.keys()]) finish(id)?.reject(new DecoderEnded(signal));
  });
  const kill = async () => {
    told.resolve();
    child.ref();
    child.kill('SIGKILL');
    await gone;
  };

  return {
    pid: child.pid,
    jobs: () => [...underWay.values()].map(({ name }) => name),
    run<Name extends JobName>(name: Name, given: Jobs[Name]['given'], mostMs: number) {
      return new Promise<Outcome<Name>>((resolve, reject) => {
        if (isGone) return reject(new DecoderEnded(null));
        lastId += 1;
        const id = lastId;
        const late = setTimeout(() => {
          finish(id)?.resolve({ refused: 'UNAVAILABLE' });
          void kill();
        }, mostMs);
        underWay.set(id, { name, resolve: resolve as (outcome: Outcome) => void, reject, late });
        // When the channel is closed the process has ended, and so does the job.
        child.send({ id, name, given } as JobMessage, () => {});
      });
    },
    ended: told.promise,
    kill,
  };
}

/** Resolves when a process is gone, with the signal that ended it. */
async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  try {
    // Its last answers may still be in the channel when it is gone, so both have to end.
    const [[, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return signal;
  } catch {
    // It could not be started.
    return null;
  }
}

/** Before the process has made threads: they take over what it has then. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(mostNiceness, getPriority() + niceness));
  } catch {
    // It has ended already.
  }
}
