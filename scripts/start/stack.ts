/** All of Packshot on one machine: local services where none is configured, the API server and one worker. */
import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type GivenSettings, givenSettings } from '#shared/platform/settings.ts';
import { childEnvironment } from './child-environment.ts';
import { demoSeller } from './demo-sellers.ts';
import { type LocalService, missingServices, startLocalServices } from './local-services.ts';
import { lockDataFolder } from './lock.ts';
import { isLoopback, isMongoOnLoopback } from './loopback.ts';
import { freePort } from './port.ts';
import { startPreparation } from './preparation.ts';
import { StackError } from './process.ts';
import { createProcessGroup } from './process-group.ts';
import { programEnvironment, startPrograms } from './programs.ts';
import { runToEnd } from './run.ts';
import { buildWebApp, startWebDevServer, type WebDevServer } from './web.ts';

/** The program that strips types in advance. */
const stripTypes = [
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('strip-types.ts', import.meta.url)),
];

export interface StackOptions {
  /** Holds databases, images, secrets and logs; default `.data` in the checkout. */
  dataFolder?: string;
  /** Port of the API server, 0 for a free one; default PORT, else 3000. */
  port?: number;
  /** GivenSettings that replace those of the environment. */
  settings?: GivenSettings;
  /** `build` builds the web app if its sources changed; `dev` serves it with hot reload, and server and worker restart after a change. */
  web?: 'build' | 'dev' | 'none';
  /** Gives up the start and ends everything that was started. */
  signal?: AbortSignal;
  /** Called with a line about each step that takes a while, and about each process that dies and is started again. */
  report?: (line: string) => void;
}

/** A stack that serves. */
export interface Stack {
  /** Address of the API server and the built web app. */
  url: string;
  /** Address of the web app with hot reload; undefined without `web: 'dev'`. */
  devUrl: string | undefined;
  /** The local services that run. */
  localServices: readonly LocalService[];
  /** Addresses of the local services' pages for people. */
  pages: { mail: string | undefined; stripe: string | undefined };
  /** Whether the demo seller can sign in. */
  hasDemoSeller: boolean;
  /** Whether this start created the demo seller. */
  isNewDemoSeller: boolean;
  /** Resolves when one of its processes has ended and is not started again, with what to tell the developer. */
  failure: Promise<StackError>;
  /** Ends worker and server, then the local services. */
  close(): Promise<void>;
}

/**
 * Starts a stack and resolves when it serves.
 * @throws StackError; everything that was started has ended by then
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { dataFolder = join(rootFolder, '.data'), web = 'build', report = () => {} } = options;
  const given: GivenSettings = { ...givenSettings(), ...options.settings };
  const logFolder = join(dataFolder, 'logs');
  await prepareDataFolder(dataFolder);
  const lock = lockDataFolder(dataFolder);
  // If it cannot, such as where the packages cannot be written, each process does it itself.
  await runToEnd('stripping of types', stripTypes, childEnvironment({}), logFolder, options.signal).catch(
    () => {},
  );
  const group = createProcessGroup(report, options.signal);
  const preparation = startPreparation();
  let devServer: WebDevServer | undefined;
  const end = async () => {
    await preparation.end();
    await devServer?.close();
    await group.close();
    lock.release();
  };
  let ended: Promise<void> | undefined;
  const close = () => {
    ended ??= end();
    return ended;
  };

  try {
    const host = given.HOST ?? '127.0.0.1';
    const port = await freePort(host, options.port ?? Number(given.PORT ?? 3_000));
    const localServices = missingServices(given);
    const [services] = await group.all([
      startLocalServices(group, localServices, dataFolder),
      web === 'build' ? buildWebApp(logFolder, report, group.signal) : undefined,
    ]);
    if (web === 'dev') devServer = await startWebDevServer(`http://127.0.0.1:${port}`);

    const env = await programEnvironment(given, services, dataFolder, port, devServer?.url, (order) =>
      preparation.run('stripe', order),
    );
    const mongodbUrl = env.MONGODB_URL!;
    const databaseIsLocal = isMongoOnLoopback(mongodbUrl);
    const demoSellersAllowed = databaseIsLocal && isLoopback(host);
    if (databaseIsLocal && !demoSellersAllowed) {
      const disabled = await preparation.run('disabledSellers', { mongodbUrl });
      if (disabled > 0) report(`the demo sellers cannot sign in: HOST=${host} lets other machines in`);
    }
    const url = await startPrograms(group, env, logFolder, web === 'dev', report);

    const stripeUrl = services.get('stripe')?.url;
    const hasDemoSeller = stripeUrl !== undefined && demoSellersAllowed;
    const [isNewDemoSeller = false] = hasDemoSeller
      ? await preparation.run('sellers', { mongodbUrl, stripeUrl, sellers: [demoSeller] })
      : [];
    await preparation.end();
    lock.writeRecord({ url, mongodbUrl, stripeUrl, demoSellersAllowed });
    group.keepRunning();
    return {
      url,
      devUrl: devServer?.url,
      localServices,
      pages: { mail: services.get('mail')?.pageUrl, stripe: stripeUrl },
      hasDemoSeller,
      isNewDemoSeller,
      failure: group.failure,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Creates the data folder and the folder of images in it. Other users may pass through to the queue's folder, whose
 * PostgreSQL may run as one of them, but not list it.
 */
async function prepareDataFolder(dataFolder: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o711 });
    if (process.getuid?.() === 0) await chmod(dataFolder, 0o711);
    await mkdir(join(dataFolder, 'images'), { recursive: true, mode: 0o700 });
    await access(dataFolder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StackError(`cannot write to ${dataFolder} (${code}): does it belong to another user?`);
  }
}
