/** Stores for tests in containers, on machines that have a container engine. */
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

/** Starts a Redis without persistence. */
export function startRedisContainer(image: string): Promise<Store> {
  return startContainer(image, {
    port: 6_379,
    scheme: 'redis',
    // Options without the program name: the official image adds it, other images have it as their entry point.
    command: ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
  });
}

/** Starts MinIO, an S3 service. @returns its address; the credentials are those given */
export function startMinioContainer(
  image: string,
  accessKeyId: string,
  secretAccessKey: string,
): Promise<Store> {
  return startContainer(image, {
    port: 9_000,
    scheme: 'http',
    command: ['server', '/data'],
    environment: { MINIO_ROOT_USER: accessKeyId, MINIO_ROOT_PASSWORD: secretAccessKey },
  });
}

interface ContainerOptions {
  port: number;
  scheme: string;
  command?: string[];
  environment?: Record<string, string>;
}

async function startContainer(image: string, options: ContainerOptions): Promise<Store> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const start = () => {
    const container = new GenericContainer(image)
      .withExposedPorts(options.port)
      // Not a line of its log: that differs between versions and between images.
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(60_000);
    if (options.environment !== undefined) container.withEnvironment(options.environment);
    if (options.command !== undefined) container.withCommand(options.command);
    return container.start();
  };
  const container = await start().catch(() => {
    // The clean-up container Ryuk needs an image too, which machines without a registry may lack. `close` suffices.
    readEnvironment().TESTCONTAINERS_RYUK_DISABLED = 'true';
    return start();
  });
  const address = `${container.getHost()}:${container.getMappedPort(options.port)}`;
  return {
    url: `${options.scheme}://${address}`,
    source: `container of ${image}`,
    close: async () => {
      await container.stop({ timeout: 0 });
    },
  };
}
