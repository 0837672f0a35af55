/** The local stand-ins as stores for tests, each a process with a temporary folder. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { startProcess } from '#scripts/start/process.ts';

/** Starts the local MongoDB server. */
export function startLocalMongo(): Promise<Store> {
  return startLocal('mongo', 'the local server', ['--no-fsync']);
}

/** Starts the local PostgreSQL. */
export function startLocalQueue(): Promise<Store> {
  return startLocal('queue', 'the local service');
}

async function startLocal(name: 'mongo' | 'queue', source: string, options: string[] = []): Promise<Store> {
  const folder = await temporaryFolder(name);
  const service = await startProcess({
    name,
    command: ['scripts/local/main.ts', name, '--data', join(folder, name), ...options],
    env: childEnvironment({}),
    logFolder: join(folder, 'logs'),
  });
  return {
    url: service.url!,
    source,
    async close() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a temporary folder that other users may traverse: PostgreSQL may run as one. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `packshot-test-${name}-`));
  await chmod(folder, 0o711);
  return folder;
}

/** A running store. */
export interface Store {
  url: string;
  /** Where it comes from, for the output of the run. */
  source: string;
  close(): Promise<void>;
}
