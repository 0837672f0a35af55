/** A Redis for tests, from the `redis-server` installed on this machine. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startWatchedProgram } from '#local/parent-watchdog.ts';
import { findFreePort } from './free-port.ts';
import { type Store, temporaryFolder } from './local-stores.ts';

const run = promisify(execFile);

/** The version of the `redis-server` on the PATH; undefined when there is none. */
export async function findRedis(): Promise<string | undefined> {
  try {
    const { stdout } = await run('redis-server', ['--version']);
    return /v=(\S+)/.exec(stdout)?.[1] ?? 'unknown';
  } catch {
    return undefined;
  }
}

/**
 * Starts `redis-server` on a free port of 127.0.0.1, without persistence.
 * @param version the version from `findRedis`, for `source`
 * @param given other options than the usual ones
 */
export async function startRedis(version: string, given: Record<string, string> = {}): Promise<Store> {
  const port = await findFreePort();
  const folder = await temporaryFolder('redis');
  const options = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    // BullMQ requires it: with full memory Redis rejects new jobs instead of evicting old ones.
    'maxmemory-policy': 'noeviction',
    ...given,
  };
  const redis = await startWatchedProgram({
    command: ['redis-server', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin' },
    isReady: (line) => /ready to accept connections/i.test(line),
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    source: `redis-server ${version} of this machine`,
    async close() {
      await redis.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
