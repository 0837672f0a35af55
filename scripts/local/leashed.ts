/** A program that is not ours, kept on a leash: it ends when this process does, however that ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';

/**
 * Programs do not notice that their parent was killed, so a shell holds them: `read` returns when the pipe on
 * descriptor 3 closes, which the kernel does for a dead process, and SIGINT ends the program in good order.
 */
const leash = `
"$@" 3<&- </dev/null 2>&1 &
program=$!
( read -r never <&3; kill -INT $program ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $program
status=$?
kill $watcher 2>/dev/null
exit $status`;

/** How long an end in good order may take before it is forced, in ms. */
const endMs = 10_000;
const lastLines = 5;

export interface LeashedOptions {
  /** Program and arguments. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Who it runs as; only root may choose. */
  user?: { uid: number; gid: number } | undefined;
  /** Whether a line of its output says that it is ready. */
  isReady: (line: string) => boolean;
  onLine?: (line: string) => void;
}

export interface Leashed {
  /** Ends it with SIGINT, and by force when it takes too long. */
  close(): Promise<void>;
  /** Resolves when it is gone, with its last words: asked for or not. */
  ended: Promise<string>;
}

/** Thrown when a program ends before it is ready; the message is what it said last. */
export class NotStarted extends Error {
  override name = 'NotStarted';
}

/**
 * Starts a program and resolves when it says that it is ready.
 * @throws NotStarted
 */
export async function startLeashed(options: LeashedOptions): Promise<Leashed> {
  const shell = spawn('/bin/sh', ['-c', leash, 'leash', ...options.command], {
    cwd: '/',
    env: options.env,
    // A session of its own: Ctrl-C reaches this process only, which then ends the program when nobody needs it.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    ...(options.user === undefined ? {} : { uid: options.user.uid, gid: options.user.gid }),
  });
  const said: string[] = [];
  const ready = Promise.withResolvers<undefined>();
  createInterface({ input: shell.stdout! }).on('line', (line) => {
    said.push(line);
    if (said.length > lastLines) said.shift();
    options.onLine?.(line);
    if (options.isReady(line)) ready.resolve(undefined);
  });
  const ended = once(shell, 'close').then(() => said.join('\n'));
  const words = await Promise.race([ready.promise, ended]);
  if (words !== undefined) throw new NotStarted(words);
  return { ended, close: () => close(shell, ended) };
}

async function close(shell: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const force = setTimeout(() => process.kill(-shell.pid!, 'SIGKILL'), endMs);
  (shell.stdio[3] as Writable).destroy();
  await ended;
  clearTimeout(force);
}
