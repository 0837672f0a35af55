/** Starts and ends one process of a stack and keeps its output in a log file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryFlags } from '#shared/platform/job-process.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** A stack that cannot start or continue: a message for the developer, and the last lines of a log if there is one. */
export class StackError extends Error {
  override name = 'StackError';
  readonly logLines: readonly string[];

  constructor(message: string, logLines: readonly string[] = []) {
    super(message);
    this.logLines = logLines;
  }
}

export interface ProcessOptions {
  /** Name in messages and of the log file. */
  name: string;
  /** Program file and arguments, the file relative to the checkout. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Flags of Node; those that save memory unless given. */
  flags?: readonly string[];
  logFolder: string;
  /** How long it may take to become ready, in ms. */
  readyMs?: number;
  /** How long it may take to end after SIGTERM, in ms; then it is killed. */
  endMs?: number;
  /** Aborts the start. */
  signal?: AbortSignal | undefined;
  /** A line for the log, to which the process then adds its own. Without one it gets a new log. */
  startedAgain?: string | undefined;
  /** Called with each warning, error and plain line of its output, readable. The log file gets all output either way. */
  onLine?: ((line: string) => void) | undefined;
}

/** A process that is ready. */
export interface RunningProcess {
  name: string;
  pid: number;
  /** Its address, if it has one. */
  url: string | undefined;
  /** The address of its page for people, if it has one. */
  pageUrl: string | undefined;
  /** Resolves when it has ended for any reason, with an error that says how. */
  ended: Promise<StackError>;
  /** Ends it with SIGTERM, after `endMs` with SIGKILL. */
  stop(): Promise<void>;
}

/** The module that ends a process when the one that started it is gone; for `node --import`. */
export const parentWatchdogFile = join(import.meta.dirname, 'parent-watchdog.ts');

/** The last output of a process that has ended is waited for this long, in ms. */
const outputEndMs = 1_000;

const running = new Set<ChildProcess>();
// No child may outlive this process, even after a second Ctrl-C or a crash.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a process and resolves when it sends `{ ready: true, url?, pageUrl? }`.
 * @throws StackError when it ends before that, or is not ready in time
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, command, env, logFolder, readyMs = 60_000, endMs = 10_000, signal, onLine } = options;
  const { flags = memoryFlags } = options;
  signal?.throwIfAborted();
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const logFile = join(logFolder, `${name}.log`);
  const log = openLog(logFile, options.startedAgain);
  const output = onLine === undefined ? log : 'pipe';
  const child = spawn(process.execPath, [...flags, '--import', parentWatchdogFile, ...command], {
    cwd: rootFolder,
    env,
    // In a process group of its own: Ctrl-C in a terminal reaches only this process, which ends the others in order.
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      writeSync(log, `${line}\n`);
      if (isWorthShowing(line)) onLine?.(readableLine(line));
    });
  }
  child.once('close', () => closeSync(log));
  running.add(child);

  const errorSaying = async (what: string) =>
    new StackError(`${name} ${what}. Its log: ${relative(rootFolder, logFile)}`, await lastLines(logFile, 8));
  const closed = once(child, 'close').catch(() => {});
  const ended = new Promise<StackError>((resolve) => {
    const settle = async (what: string) => {
      running.delete(child);
      resolve(await errorSaying(what));
    };
    child.once('error', (error) => settle(`could not be started: ${error.message}`));
    child.once('exit', async (code, signal) => {
      // Its own children may keep its output open for longer.
      await Promise.race([closed, wait(outputEndMs)]);
      await settle(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), endMs);
      await once(child, 'exit');
      clearTimeout(force);
    }
    await ended;
  };

  const abort = () => void stop();
  signal?.addEventListener('abort', abort);
  const { url, pageUrl } = await new Promise<{ url?: string; pageUrl?: string }>((resolve, reject) => {
    let late: StackError | undefined;
    const giveUp = async () => {
      late = await errorSaying(`did not get ready within ${readyMs / 1_000} s`);
      await stop();
    };
    const timer = setTimeout(giveUp, readyMs);
    child.on('message', (message) => {
      const { ready, ...addresses } = message as { ready?: boolean; url?: string; pageUrl?: string };
      if (ready !== true) return;
      clearTimeout(timer);
      resolve(addresses);
    });
    ended.then((error) => {
      clearTimeout(timer);
      reject(late ?? error);
    });
  }).finally(() => signal?.removeEventListener('abort', abort));
  return { name, pid: child.pid!, url, pageUrl, ended, stop };
}

/**
 * Opens the log of a process that is started again, and adds a line to it; or a new log. The log of the previous start is
 * kept as `NAME.before.log`.
 */
function openLog(file: string, startedAgain: string | undefined): number {
  if (startedAgain !== undefined) {
    const log = openSync(file, 'a', 0o600);
    writeSync(log, `${startedAgain}\n`);
    return log;
  }
  try {
    renameSync(file, file.replace(/\.log$/, '.before.log'));
  } catch {
    // There is none before the first start.
  }
  return openSync(file, 'a', 0o600);
}

async function lastLines(file: string, count: number): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).map(readableLine);
}

/** Warnings and errors of a log. A line that is not JSON comes from `console` or from Node itself. */
function isWorthShowing(line: string): boolean {
  const level = /^\{"level":"(\w+)"/.exec(line)?.[1];
  return level === undefined ? line.trim() !== '' : ['warn', 'error', 'fatal'].includes(level);
}

/** The message of a line of pino's JSON; any other line unchanged. */
function readableLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
