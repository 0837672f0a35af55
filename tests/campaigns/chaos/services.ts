/** The stores and the stand-ins of outside services of a chaos stack. */
import { join } from 'node:path';
import type { ServiceName } from './hops.ts';
import { findLastingPort } from './ports.ts';
import type { ChaosProcess } from './processes.ts';
import type { Launcher } from './storage.ts';

export type QueueKind = 'redis' | 'postgres';

/** Starts them, each on a port that it keeps. @throws StackError when one does not start */
export async function startServices(
  queue: QueueKind,
  { folder, run }: Launcher,
): Promise<Record<ServiceName, ChaosProcess>> {
  const port = async () => String(await findLastingPort());
  const local = async (service: string, ...flags: string[]) => {
    const command = [
      'scripts/local/main.ts',
      service,
      '--data',
      join(folder, service),
      '--port',
      await port(),
    ];
    return run(service === 'openai' ? 'images' : service, [...command, ...flags]);
  };
  const redis = async () =>
    run('queue', ['tests/campaigns/support/redis.ts', await port(), join(folder, 'redis')]);
  const [mongo, queueStore, images, stripe, mail] = await Promise.all([
    local('mongo'),
    queue === 'redis' ? redis() : local('queue'),
    // Two attempts at one generation make different files, so that one cannot be taken for the other.
    local('openai', '--mode', 'instant', '--distinct', '--control'),
    local('stripe', '--control'),
    local('mail', '--control', '--web-port', await port()),
  ]);
  return { mongo, queue: queueStore, images, stripe, mail };
}
