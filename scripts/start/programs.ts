/** The programs of a stack: the API server and one worker. */
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { childEnvironment } from './child-environment.ts';
import { type RunningServices, serviceSettings } from './local-services.ts';
import { isLoopback } from './loopback.ts';
import type { PreparationJobs } from './preparation.ts';
import type { ProcessGroup } from './process-group.ts';
import { sessionSecret } from './secrets.ts';
import { startStorageUrl } from './storage.ts';

/** A little longer than the server's own limit on closing (server/main.ts), in ms. */
const serverEndMs = 15_000;

/** The worker finishes the jobs that it has begun; a little longer than its own limit on closing, in ms. */
const workerEndMs = 30_000;

/**
 * The environment of server and worker.
 * @param given settings of the environment and of the caller
 * @param port port of the API server
 * @param devUrl address of the web app's development server, if there is one
 * @param prepareStripe prepares a local Stripe; returns the secret that signs its events
 */
export async function programEnvironment(
  given: GivenSettings,
  services: RunningServices,
  dataFolder: string,
  port: number,
  devUrl: string | undefined,
  prepareStripe: (given: PreparationJobs['stripe']['given']) => Promise<string>,
): Promise<NodeJS.ProcessEnv> {
  const stripeUrl = services.get('stripe')?.url;
  return childEnvironment({
    SESSION_SECRET: await sessionSecret(dataFolder),
    STORAGE_URL: startStorageUrl(dataFolder),
    // A webhook of a developer's own machine can be tried out; where others can sign up, it would be theirs to call as well.
    ...(isLoopback(given.HOST ?? '127.0.0.1') && { WEBHOOKS_TO_LOOPBACK: 'true' }),
    // The server accepts sockets from the web app's own address only, and the development server has another one.
    ...(devUrl && { PUBLIC_URL: devUrl }),
    ...given,
    ...serviceSettings(services),
    ...(stripeUrl && { STRIPE_WEBHOOK_SECRET: await prepareStripe({ url: stripeUrl, port, dataFolder }) }),
    PORT: String(port),
  });
}

/**
 * Starts the API server and one worker. @returns the address of the API server
 * @param watch starts each of them again when its sources change
 * @param report is called with their warnings and errors while they are watched
 */
export async function startPrograms(
  group: ProcessGroup,
  env: NodeJS.ProcessEnv,
  logFolder: string,
  watch: boolean,
  report: (line: string) => void,
): Promise<string> {
  const start = (name: 'server' | 'worker', endMs: number, given = env) =>
    group.start('program', {
      name,
      command: [`${name}/main.ts`],
      env: given,
      logFolder,
      endMs,
      sources: watch ? [name, 'shared'].map((folder) => join(rootFolder, folder)) : undefined,
      onLine: watch ? (line) => report(`${name}: ${line}`) : undefined,
    });
  const [server] = await group.all([
    start('server', serverEndMs),
    start('worker', workerEndMs, workerEnvironment(env)),
  ]);
  return server.url!;
}

/** The environment of the worker: with the server on one machine, its metrics need a port of their own, the next one. */
function workerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const port = Number(env.METRICS_PORT ?? 0);
  return port > 0 ? { ...env, METRICS_PORT: String(port + 1) } : env;
}
