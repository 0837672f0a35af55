/** Runs a program that must not outlive this process, however this process ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';

/**
 * A program does not notice that its parent was killed, so a shell runs it and watches a pipe on descriptor 3. The
 * kernel closes that pipe when this process dies; `read` then returns and the program gets the signal.
 */
const watchdogScript = (signal: 'INT' | 'TERM') => `
"$@" 3<&- </dev/null 2>&1 &
program=$!
( read -r never <&3; kill -${signal} $program ) >/dev/null 2>&1 &
watchdog=$!
exec 3<&-
wait $program
status=$?
kill $watchdog 2>/dev/null
exit $status`;

/** Time between SIGINT and SIGKILL, in ms. */
const killAfterMs = 10_000;
/** How many of the last lines of output are kept for error messages. */
const keptLines = 5;

export interface WatchedProgramOptions {
  /** Program and arguments. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The signal that ends it; INT by default, which the shell of a script ignores here. */
  endSignal?: 'INT' | 'TERM';
  /** The user that it runs as; only root can choose one. */
  user?: { uid: number; gid: number } | undefined;
  /** Whether this line of output says that the program is ready. */
  isReady: (line: string) => boolean;
  onLine?: (line: string) => void;
}

export interface WatchedProgram {
  /** Sends the signal, then SIGKILL if the program takes longer than ten seconds; resolves when it has ended. */
  close(): Promise<void>;
  /** Resolves when the program has ended for any reason, with its last lines of output. */
  ended: Promise<string>;
}

/** Thrown when a program ends before it is ready; the message is its last lines of output. */
export class ProgramNotStarted extends Error {
  override name = 'ProgramNotStarted';
}

/**
 * Starts a program under a parent watchdog and resolves when it is ready.
 * @throws ProgramNotStarted
 */
export async function startWatchedProgram(options: WatchedProgramOptions): Promise<WatchedProgram> {
  const shell = spawn(
    '/bin/sh',
    ['-c', watchdogScript(options.endSignal ?? 'INT'), 'parent-watchdog', ...options.command],
    {
      cwd: '/',
      env: options.env,
      // A session of its own: Ctrl-C reaches only this process, which ends the program once nothing needs it any more.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      ...(options.user === undefined ? {} : { uid: options.user.uid, gid: options.user.gid }),
    },
  );
  const output: string[] = [];
  const ready = Promise.withResolvers<undefined>();
  createInterface({ input: shell.stdout! }).on('line', (line) => {
    output.push(line);
    if (output.length > keptLines) output.shift();
    options.onLine?.(line);
    if (options.isReady(line)) ready.resolve(undefined);
  });
  const ended = once(shell, 'close').then(() => output.join('\n'));
  const lastOutput = await Promise.race([ready.promise, ended]);
  if (lastOutput !== undefined) throw new ProgramNotStarted(lastOutput);
  return { ended, close: () => close(shell, ended) };
}

async function close(shell: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const kill = setTimeout(() => process.kill(-shell.pid!, 'SIGKILL'), killAfterMs);
  (shell.stdio[3] as Writable).destroy();
  await ended;
  clearTimeout(kill);
}
