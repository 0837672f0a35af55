/** When a program started by a developer, or by another program of this repository, has to shut down. */
import { readFileSync } from 'node:fs';

/** npm forwards a signal that the terminal has already sent to every process: within this time it is the same one. */
const duplicateSignalMs = 1_000;
const parentPollMs = 500;

/**
 * Resolves when this process is asked to shut down: by SIGINT, SIGTERM or SIGHUP, when the parent closes the IPC
 * channel, or when npm ends (the shell that npm runs scripts in forwards no signals). A second signal exits at once
 * with status 1.
 */
export function shutdownRequested(): Promise<void> {
  return new Promise((resolve) => {
    let firstSignalAt: number | undefined;
    const onSignal = () => {
      if (firstSignalAt === undefined) firstSignalAt = performance.now();
      else if (performance.now() - firstSignalAt > duplicateSignalMs) process.exit(1);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    process.on('SIGHUP', onSignal);
    process.once('disconnect', resolve);
    if (process.channel === undefined && process.env.npm_lifecycle_event !== undefined) {
      const parents = npmProcesses();
      // Node has no event for the end of a parent without an IPC channel.
      const poll = setInterval(() => {
        if (npmProcesses() === parents) return;
        clearInterval(poll);
        resolve();
      }, parentPollMs);
      poll.unref();
    }
  });
}

/** The processes between npm and this one: npm itself, or a shell and npm. Changes when one of them ends. */
function npmProcesses(): string {
  const parent = process.ppid;
  try {
    const isShell = /^\S*sh\0-c\0/.test(readFileSync(`/proc/${parent}/cmdline`, 'latin1'));
    const grandparent = isShell
      ? /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${parent}/status`, 'latin1'))?.[1]
      : '';
    return `${parent} ${grandparent}`;
  } catch {
    // Without /proc (macOS, Windows) only the direct parent is known.
    return String(parent);
  }
}
