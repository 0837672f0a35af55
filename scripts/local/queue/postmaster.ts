/** Starts PostgreSQL's main process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramNotStarted, startWatchedProgram, type WatchedProgram } from '../parent-watchdog.ts';
import { binaryEnvironment } from './binaries.ts';
import type { Cluster } from './cluster.ts';

const settings = (port: number): Record<string, string> => ({
  port: String(port),
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // Commits do not wait for the disk. fsync stays on, so a crash does not corrupt the cluster; it can lose the last
  // fraction of a second, which is acceptable for a queue that is refilled from the database.
  synchronous_commit: 'off',
  // Queue statements are short; compiling them costs more than it saves.
  jit: 'off',
  // A queue updates few rows often, so dead rows must be removed before an index grows.
  autovacuum_naptime: '15s',
  log_checkpoints: 'off',
});

/**
 * Starts PostgreSQL on a port of 127.0.0.1 and resolves when it accepts connections. Call {@link clearLockFile} first.
 * @returns the program under a parent watchdog: it ends when this process does, however that happens
 * @throws Error with PostgreSQL's own message when it does not start
 */
export async function startPostmaster(cluster: Cluster, port: number): Promise<WatchedProgram> {
  const options = Object.entries(settings(port)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    return await startWatchedProgram({
      command: [cluster.binaries.postgres, '-D', cluster.folder, ...options],
      env: binaryEnvironment,
      user: cluster.user,
      isReady: (line) => line.includes('database system is ready to accept connections'),
      onLine: (line) => {
        if (/\b(ERROR|FATAL|PANIC|WARNING):/.test(line)) console.error(line);
      },
    });
  } catch (error) {
    if (error instanceof ProgramNotStarted)
      throw new Error(`PostgreSQL did not start: ${reason(error.message)}`);
    throw error;
  }
}

function reason(output: string): string {
  const fatal = output.split('\n').find((line) => /\b(FATAL|PANIC|ERROR|postgres):/.test(line));
  return (fatal ?? output).replace(/^.*?(FATAL|PANIC|ERROR): +/, '');
}

/**
 * Removes the lock file of a PostgreSQL that was killed. PostgreSQL does so itself, unless its process id is used by
 * another program, which is common in containers.
 * @throws Error when a PostgreSQL is still using this folder after its parent watchdog had time to end it
 */
export async function clearLockFile(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const deadline = Date.now() + 5_000;
  for (;;) {
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
    if (!pid) return;
    const command = await commandLine(pid);
    if (command === undefined || !command.includes(folder)) {
      await rm(file, { force: true });
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `the data folder ${folder} is in use by PostgreSQL, process ${pid}; end it or take another folder`,
      );
    }
    // There is no event for the end of another process.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @returns the command line of a process; undefined when it does not exist */
async function commandLine(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  const linux = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (linux !== undefined) return linux.replaceAll('\0', ' ');
  const ps = spawn('ps', ['-o', 'command=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  ps.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(ps, 'close').catch(() => undefined);
  return output.trim() || undefined;
}
