/** Stores for tests from containers, where an engine answers. */
import { readEnvironment } from '#shared/platform/environment.ts';
import type { Store } from './stores.ts';

/** Whether testcontainers finds a container engine that answers. */
export async function containerEngineAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** Starts a MongoDB without a replica set. */
export function startMongoContainer(image: string): Promise<Store> {
  return startContainer(image, { port: 27_017, scheme: 'mongodb' });
}

/** Starts a Redis that keeps nothing on disk. */
export function startRedisContainer(image: string): Promise<Store> {
  return startContainer(image, {
    port: 6_379,
    scheme: 'redis',
    // Options only: the official image puts the program before them, others have it as their entry point.
    command: ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
  });
}

interface Described {
  port: number;
  scheme: string;
  command?: string[];
}

async function startContainer(image: string, described: Described): Promise<Store> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const start = () => {
    const container = new GenericContainer(image)
      .withExposedPorts(described.port)
      // Not a line of its output: an image of another MongoDB or Redis has other words.
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(60_000);
    if (described.command !== undefined) container.withCommand(described.command);
    return container.start();
  };
  const container = await start().catch(() => {
    // Its clean-up container is an image too, which a machine without a registry does not have; then we clean up.
    readEnvironment().TESTCONTAINERS_RYUK_DISABLED = 'true';
    return start();
  });
  const address = `${container.getHost()}:${container.getMappedPort(described.port)}`;
  return {
    url: `${described.scheme}://${address}`,
    source: `container of ${image}`,
    close: async () => {
      await container.stop({ timeout: 0 });
    },
  };
}
