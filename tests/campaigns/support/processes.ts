/** Processes of a campaign's stack: each can be killed, paused and started again at the same address. */
import { setTimeout as wait } from 'node:timers/promises';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from '#scripts/start/process.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { childrenOf } from '#tests/support/memory.ts';
import type { TcpProxy } from '#tests/support/tcp-proxy.ts';

/** How a process is started again. */
interface StartOptions {
  /** Settings that this start has in addition; for servers and workers. */
  settings?: GivenSettings;
  /** Modules that are loaded before the program (`node --import`), as absolute paths. */
  imports?: readonly string[];
}

/** One process of the stack. It has the same name and address after a restart. */
export interface CampaignProcess {
  name: string;
  /** Its process id; the last one if it does not run. */
  readonly pid: number;
  readonly isRunning: boolean;
  /** What it said about its address when it got ready. */
  readonly url: string | undefined;
  readonly pageUrl: string | undefined;
  /** The process ids of it and its children, and theirs. */
  pids(): number[];
  /** Sends SIGKILL to it and its children; resolves when it has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves when it has ended, at the latest after its time to end. */
  terminate(): Promise<void>;
  /** Starts it, if it is not running; resolves when it is ready. */
  start(options?: StartOptions): Promise<void>;
  /** Sends SIGSTOP to it and its children. */
  pause(): void;
  /** Sends SIGCONT to it and its children. */
  resume(): void;
}

/** How often a program is started until it is ready, and the pause in between, in ms. */
const [startTries, restartMs] = [10, 200];

export interface Program {
  name: string;
  /** Program file and arguments. */
  command: readonly string[];
  settings?: GivenSettings;
  /** As in {@link StartOptions}, of every start. */
  imports?: readonly string[];
  /** Where it keeps temporary files; the system's folder unless given. */
  temporaryFolder?: string;
  logFolder: string;
  /** How long it may take to end after SIGTERM, in ms; then it is killed. */
  endMs: number;
  /** Where compiled modules are kept for its next start; nowhere unless given. */
  compileCache?: string;
}

/** How parts of a stack are started; what was started ends with the stack. */
export interface Launcher {
  /** A new folder for data. */
  folder: string;
  run(program: Omit<Program, 'logFolder' | 'endMs'>): Promise<CampaignProcess>;
  proxy(targetUrl: string): Promise<TcpProxy>;
  onClose(end: () => Promise<unknown>): void;
}

/** How a program that is measured is started: as in production, without what saves memory in `npm start`. */
export function asInProduction(settings: GivenSettings): Pick<ProcessOptions, 'env' | 'flags'> {
  return { env: { ...childEnvironment(settings), MALLOC_MMAP_THRESHOLD_: undefined }, flags: [] };
}

/** Starts a program as a process. @throws StackError when it does not get ready */
export async function startCampaignProcess(program: Program): Promise<CampaignProcess> {
  const { name, command, logFolder } = program;
  let current: RunningProcess;
  let isRunning = false;
  let starting: Promise<void> | undefined;

  /** Two faults may end at the same time, and start the process that both have killed. */
  function start(options: StartOptions = {}): Promise<void> {
    if (isRunning) return Promise.resolve();
    starting ??= launchUntilReady(options).finally(() => {
      starting = undefined;
    });
    return starting;
  }

  /** A program ends when a store is away at its start; whoever supervises it starts it again. */
  async function launchUntilReady(options: StartOptions): Promise<void> {
    for (let left = startTries; ; left -= 1) {
      try {
        return await launch(options);
      } catch (error) {
        if (left === 1) throw error;
        await wait(restartMs);
      }
    }
  }

  async function launch({ settings = {}, imports = [] }: StartOptions): Promise<void> {
    const loaded = [...(program.imports ?? []), ...imports].flatMap((path) => ['--import', path]);
    const { env, flags } = asInProduction({ ...program.settings, ...settings });
    const started = await startProcess({
      name,
      command: [...loaded, ...command],
      flags,
      env: {
        ...env,
        ...(program.compileCache !== undefined && { NODE_COMPILE_CACHE: program.compileCache }),
        ...(program.temporaryFolder !== undefined && { TMPDIR: program.temporaryFolder }),
      },
      logFolder,
      readyMs: 30_000,
      endMs: program.endMs,
    });
    current = started;
    isRunning = true;
    void started.ended.then(() => {
      if (current === started) isRunning = false;
    });
  }
  const pids = () => (isRunning ? [current.pid, ...childrenOf(current.pid)] : []);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids()) send(pid, name);
  };

  await start();
  return {
    name,
    get pid() {
      return current.pid;
    },
    get isRunning() {
      return isRunning;
    },
    get url() {
      return current.url;
    },
    get pageUrl() {
      return current.pageUrl;
    },
    pids,
    async kill() {
      await starting;
      signal('SIGKILL');
      await current.ended;
    },
    async terminate() {
      await starting;
      // A stopped process would not notice SIGTERM.
      signal('SIGCONT');
      await current.stop();
      await current.ended;
    },
    start: (options) => start(options),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  };
}

/** Sends a signal to a process that may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
