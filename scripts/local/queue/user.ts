/** PostgreSQL refuses to run as root; this chooses the system user that it runs as. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Chooses the user for a cluster: its owner, else the system's `postgres`, else a new user without password or shell,
 * else (where users cannot be created) `nobody`.
 * @param clusterFolder the cluster, which need not exist yet
 * @returns undefined when this process is not root: PostgreSQL then runs as the same user
 */
export async function chooseUser(clusterFolder: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0)
    return { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const present = await findUser('postgres');
  if (present !== undefined) return present;
  const create = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  await run('useradd', create).catch(() => undefined);
  const user = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (user === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root and no user for it could be made: run `useradd --system postgres`, or set QUEUE_URL',
    );
  }
  return user;
}

async function findUser(name: string): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (option) => Number((await run('id', [option, name])).stdout)),
    );
    if (uid === undefined || gid === undefined) return undefined;
    return { name, uid, gid };
  } catch {
    return undefined;
  }
}
