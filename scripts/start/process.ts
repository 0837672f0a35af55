/** One process of a stack: started, watched, ended, its words kept in a log. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, renameSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** A stack that cannot start or go on: one clear line, and the last lines of a log where there is one. */
export class StackError extends Error {
  override name = 'StackError';
  readonly logLines: readonly string[];

  constructor(message: string, logLines: readonly string[] = []) {
    super(message);
    this.logLines = logLines;
  }
}

export interface ProcessOptions {
  /** What people call it; also the log's name. */
  name: string;
  /** Program file and arguments, the file relative to the checkout. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  logFolder: string;
  /** How long it may take to say that it is ready, in ms. */
  readyMs?: number;
  /** How long it may take to end when asked, in ms; after that it is killed. */
  endMs?: number;
  /** Gives up the start. */
  signal?: AbortSignal | undefined;
  /** Called with each warning, error and plain line that it writes, readable; its log gets everything either way. */
  onWords?: ((line: string) => void) | undefined;
}

/** A process that said it is ready. */
export interface RunningProcess {
  name: string;
  pid: number;
  /** Its address, if it has one. */
  url: string | undefined;
  /** The address of a page for people, if it has one besides. */
  pageUrl: string | undefined;
  /** Resolves when it has ended, with an error that says how; asked for or not. */
  ended: Promise<StackError>;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

/** What makes a process end when the one that started it is gone. */
export const parentWatchdogFile = join(import.meta.dirname, 'parent-watchdog.ts');

const running = new Set<ChildProcess>();
// A second Ctrl-C, or a crash of ours: nothing may stay behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a process and resolves when it sends `{ ready: true, url?, pageUrl? }`.
 * @throws StackError when it ends before that, or says nothing in time
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, command, env, logFolder, readyMs = 60_000, endMs = 10_000, signal, onWords } = options;
  signal?.throwIfAborted();
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const logFile = join(logFolder, `${name}.log`);
  const log = openLog(logFile);
  const child = spawn(process.execPath, ['--import', parentWatchdogFile, ...command], {
    cwd: rootFolder,
    env,
    // A session of its own: Ctrl-C in a terminal reaches only us, and we end things in their order.
    detached: true,
    stdio: ['ignore', ...(onWords === undefined ? [log, log] : ['pipe' as const, 'pipe' as const]), 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      appendFileSync(logFile, `${line}\n`);
      if (isWorthShowing(line)) onWords?.(readableLine(line));
    });
  }
  closeSync(log);
  running.add(child);

  const fail = async (what: string) =>
    new StackError(`${name} ${what}. Its log: ${relative(rootFolder, logFile)}`, await lastLines(logFile, 8));
  const ended = new Promise<StackError>((resolve) => {
    const settle = (what: string) => {
      running.delete(child);
      fail(what).then(resolve);
    };
    child.once('error', (error) => settle(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      settle(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), endMs);
    await exit;
    clearTimeout(force);
  };

  const giveUp = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', giveUp);
  const { url, pageUrl } = await new Promise<{ url?: string; pageUrl?: string }>((resolve, reject) => {
    const timer = setTimeout(async () => {
      const error = await fail(`did not get ready within ${readyMs / 1_000} s`);
      await stop();
      reject(error);
    }, readyMs);
    child.on('message', (message) => {
      const { ready, ...addresses } = message as { ready?: boolean; url?: string; pageUrl?: string };
      if (ready !== true) return;
      clearTimeout(timer);
      resolve(addresses);
    });
    ended.then((error) => {
      clearTimeout(timer);
      reject(error);
    });
  }).finally(() => signal?.removeEventListener('abort', giveUp));
  return { name, pid: child.pid!, url, pageUrl, ended, stop };
}

/** A new log for each start; the one before is kept. */
function openLog(file: string): number {
  try {
    renameSync(file, file.replace(/\.log$/, '.before.log'));
  } catch {
    // The first start has none before it.
  }
  return openSync(file, 'a', 0o600);
}

async function lastLines(file: string, count: number): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).map(readableLine);
}

/** Pino's levels from 40 are warnings and errors; what is not JSON was written by hand, or by Node itself. */
function isWorthShowing(line: string): boolean {
  const level = /^\{"level":(\d+)/.exec(line)?.[1];
  return level === undefined ? line.trim() !== '' : Number(level) >= 40;
}

/** A line of pino's JSON as a person reads it; any other line as it is. */
function readableLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
