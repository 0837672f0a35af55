/** When a program that a developer typed, or that another of our programs started, has to end. */
import { readFileSync } from 'node:fs';
import { startedByNpm } from '#scripts/npm.ts';

/** A second signal this soon is the first one again: npm passes on what the terminal already sent to everyone. */
const echoMs = 1_000;

/**
 * Resolves when this process is asked to end: by SIGINT or SIGTERM, by the end of the process that started it over
 * an IPC channel, or by the end of npm (whose shell passes no signal on). After that a second signal ends at once.
 */
export function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = () => {
      if (askedAt === undefined) askedAt = performance.now();
      else if (performance.now() - askedAt > echoMs) process.exit(1);
      resolve();
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
    process.on('SIGHUP', ask);
    process.once('disconnect', resolve);
    if (process.channel === undefined && startedByNpm()) {
      const parents = npmProcesses();
      // The end of a parent without a channel has no event.
      const watch = setInterval(() => {
        if (npmProcesses() === parents) return;
        clearInterval(watch);
        resolve();
      }, 500);
      watch.unref();
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
    // Only Linux tells about other processes in files.
    return String(parent);
  }
}
