/** Stores for tests in containers, on machines that have a container engine. */
import { execFile, execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Store } from './local-stores.ts';
import { limitMs } from './machine.ts';

const docker = async (...command: string[]) => (await promisify(execFile)('docker', command)).stdout.trim();

/** Whether a container engine answers. */
export async function containerEngineAnswers(): Promise<boolean> {
  return docker('info', '--format', '{{.ServerVersion}}').then(
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

/** @throws Error when the image cannot be had, or its port does not open in time */
async function startContainer(
  image: string,
  { port, scheme, command = [], environment = {} }: ContainerOptions,
): Promise<Store> {
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const id = await docker(
    'run',
    '--detach',
    '--rm',
    '--publish',
    `127.0.0.1::${port}`,
    ...variables,
    image,
    ...command,
  );
  const remove = ['rm', '--force', '--volumes', id];
  // For a run that ends without closing.
  const removeAtExit = () => execFileSync('docker', remove);
  process.once('exit', removeAtExit);
  const close = async () => {
    process.off('exit', removeAtExit);
    await docker(...remove);
  };
  try {
    const [address] = (await docker('port', id, String(port))).split('\n');
    await untilListening(id, port);
    return { url: `${scheme}://${address}`, source: `container of ${image}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const pollIntervalMs = 200;

/**
 * Waits until a program in the container listens on the port. The engine's proxy accepts connections before that, and the
 * lines of a log differ between versions and between images.
 */
async function untilListening(id: string, port: number): Promise<void> {
  // `0A` is the state LISTEN.
  const listening = new RegExp(`:${port.toString(16).padStart(4, '0')} [0:]+ 0A`, 'i');
  const deadline = performance.now() + limitMs(60_000);
  while (!listening.test(await docker('exec', id, 'sh', '-c', 'cat /proc/net/tcp*'))) {
    if (performance.now() > deadline) throw new Error(`container ${id}: nothing listens on port ${port}`);
    await wait(pollIntervalMs);
  }
}
