/** Finds or creates the cluster, PostgreSQL's term for its data folder. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, binaryEnvironment, findBinaries } from './binaries.ts';
import { chooseUser, type SystemUser } from './user.ts';

const run = promisify(execFile);

/** Owned by root and accessible to everyone; used when PostgreSQL's user cannot access the data folder. */
const openFolder = '/var/lib/packshot';

/** The only role of the cluster. */
export const roleName = 'packshot';

/** A cluster that is ready to start. */
export interface Cluster {
  folder: string;
  binaries: Binaries;
  /** undefined: the user of this process. */
  user: SystemUser | undefined;
  password: string;
}

/**
 * Finds the cluster of a data folder, or creates it.
 * @param dataFolder absolute path; created if missing
 * @throws Error with a one-line message
 */
export async function prepareCluster(dataFolder: string): Promise<Cluster> {
  await mkdir(dataFolder, { recursive: true, mode: 0o711 });
  const base = await chooseBase(dataFolder);
  const folder = join(base, 'cluster');
  const user = await chooseUser(folder);
  if (user !== undefined) await makeWorldAccessible(openFolder);
  const binaries = await findBinaries(user, openFolder);

  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const passwordFile = join(base, 'password');
  if (made !== undefined) {
    const version = await majorVersion(binaries);
    if (made.trim() === version) {
      return { folder, binaries, user, password: (await readFile(passwordFile, 'utf8')).trim() };
    }
    // The queue can be refilled from the database, so an old cluster need not be converted.
    await rename(folder, `${folder}-of-postgres-${made.trim()}`);
  }
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await makeCluster(folder, binaries, user, password);
  return { folder, binaries, user, password };
}

async function majorVersion(binaries: Binaries): Promise<string | undefined> {
  const { stdout } = await run(binaries.postgres, ['--version'], { env: binaryEnvironment });
  return /(\d+)\./.exec(stdout)?.[1];
}

/**
 * The folder in which the cluster lies: the data folder itself, unless this process is root and PostgreSQL's user
 * cannot access it. Then the cluster lies in the open folder, and a file in the data folder contains its path. When
 * the data folder is deleted, a new cluster is created.
 */
async function chooseBase(dataFolder: string): Promise<string> {
  if (process.getuid?.() !== 0 || (await isWorldAccessible(dataFolder))) return dataFolder;
  await makeWorldAccessible(openFolder);
  const base = join(
    openFolder,
    `queue-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`,
  );
  const note = join(dataFolder, 'location');
  const noted = await readFile(note, 'utf8').catch(() => undefined);
  if (noted?.trim() !== base) {
    await rm(base, { recursive: true, force: true });
    await writeFile(note, `${base}\n`);
  }
  await makeWorldAccessible(base);
  return base;
}

/** Whether every user can enter a folder and all folders above it. */
async function isWorldAccessible(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Creates a folder of root that everyone can access; rejects an existing one of another user. */
async function makeWorldAccessible(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const { uid, mode } = await lstat(folder);
  if (uid !== 0 || (mode & 0o022) !== 0)
    throw new Error(`${folder} must belong to root and be writable by nobody else; remove it`);
  await chmod(folder, 0o711);
}

/** Runs `initdb` in a temporary folder and renames it, so that a crash leaves no incomplete cluster. */
async function makeCluster(
  folder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  password: string,
): Promise<void> {
  const partial = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) {
    await chown(partial, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${partial}`,
        `--username=${roleName}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      {
        cwd: '/',
        env: binaryEnvironment,
        ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
      },
    );
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).trim();
    throw new Error(`initdb failed: ${said.split('\n').at(-1)}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(partial, folder);
}
