/** All of Packshot on one machine: local services where none is configured, the API server and one worker. */
import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { givenSettings } from '#shared/platform/config.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { childEnvironment } from './child-environment.ts';
import { takeDemoPasswords } from './demo-password.ts';
import { lockDataFolder } from './lock.ts';
import { isLoopback, isMongoOnLoopback } from './loopback.ts';
import { freePort } from './port.ts';
import { type RunningProcess, StackError, startProcess } from './process.ts';
import { demoSeller, makeSellers } from './seller.ts';
import {
  type GivenSettings,
  keptSecret,
  keptWebhookSecret,
  type LocalService,
  missingServices,
  settingsFor,
} from './settings.ts';
import { startFollowing } from './watch.ts';
import { buildWebApp, startWebDevServer, type WebDevServer } from './web.ts';

export interface StackOptions {
  /** Keeps databases, images, the sessions' secret and logs; `.data` in the checkout unless given. */
  dataFolder?: string;
  /** Port of the API server, 0 for a free one; PORT or 3000 unless given. */
  port?: number;
  /** Settings that replace those of the environment. */
  settings?: GivenSettings;
  /** `build` makes the web app anew when its sources changed, `dev` follows them and those of server and worker. */
  web?: 'build' | 'dev' | 'none';
  /** Gives up the start; everything started by then ends. */
  signal?: AbortSignal;
  /** Called with a line about each step that takes a while. */
  say?: (line: string) => void;
}

/** A stack that serves. */
export interface Stack {
  /** Address of the API server and the built web app. */
  url: string;
  /** Address of the web app with hot reload; undefined unless asked for. */
  devUrl: string | undefined;
  /** The local services that stand in. */
  local: readonly LocalService[];
  /** Pages of local services for people: mails, and what Stripe has. */
  pages: { mail: string | undefined; stripe: string | undefined };
  /** Whether the demo seller can sign in. */
  hasDemoSeller: boolean;
  /** Whether the demo seller was made by this start. */
  isNewDemoSeller: boolean;
  /** Resolves when a process ends that was not asked to, with what to say about it. */
  broken: Promise<StackError>;
  /** Ends worker and server, then the stores. */
  close(): Promise<void>;
}

/** The worker finishes the jobs it has begun; a little more than its own grace period, in ms. */
const workerEndMs = 30_000;

/**
 * Starts a stack and resolves when it serves.
 * @throws StackError with one clear line; everything that was started has ended by then
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { dataFolder = join(rootFolder, '.data'), web = 'build', say = () => {} } = options;
  const quit = new AbortController();
  const signal = AbortSignal.any([quit.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const given: GivenSettings = { ...givenSettings(), ...options.settings };
  await makeDataFolder(dataFolder);
  const lock = lockDataFolder(dataFolder);
  /** In the order in which they are ended. */
  const programs: RunningProcess[] = [];
  const stores: RunningProcess[] = [];
  let devServer: WebDevServer | undefined;
  const close = async () => {
    await devServer?.close();
    await Promise.all(programs.map((program) => program.stop()));
    await Promise.all(stores.map((store) => store.stop()));
    lock.release();
  };
  const logFolder = join(dataFolder, 'logs');
  const death = Promise.withResolvers<StackError>();
  const watchOver = (one: RunningProcess) => void one.ended.then(death.resolve);
  /** Waits for all; the first failure, or the end of something that runs already, ends the others and is thrown. */
  const all = async <T>(tasks: readonly Promise<T>[]): Promise<T[]> => {
    try {
      const done = await Promise.race([Promise.all(tasks), death.promise]);
      if (done instanceof StackError) throw done;
      return done;
    } catch (error) {
      quit.abort();
      // What had started by then is known to `close` only when its task has settled.
      await Promise.allSettled(tasks);
      throw error;
    }
  };

  try {
    const host = given.HOST ?? '127.0.0.1';
    const port = await freePort(host, options.port ?? Number(given.PORT ?? 3_000));
    const local = missingServices(given);
    const urls = new Map<LocalService['name'], string>();
    let mailPage: string | undefined;
    const startStore = async ({ name }: LocalService) => {
      const store = await startProcess({
        name,
        command: ['scripts/local/main.ts', name, '--data', join(dataFolder, name)],
        env: childEnvironment({}),
        logFolder,
        signal,
      });
      stores.push(store);
      watchOver(store);
      urls.set(name, store.url!);
      if (name === 'mail') mailPage = store.pageUrl;
    };
    await all<void>([
      ...local.map(startStore),
      ...(web === 'build' ? [buildWebApp(logFolder, say, signal)] : []),
    ]);
    if (web === 'dev') devServer = await startWebDevServer(`http://127.0.0.1:${port}`);

    const stripeUrl = urls.get('stripe');
    const env = childEnvironment({
      ...(stripeUrl === undefined
        ? {}
        : { STRIPE_WEBHOOK_SECRET: await prepareStripe(stripeUrl, port, dataFolder) }),
      SESSION_SECRET: given.SESSION_SECRET ?? (await keptSecret(dataFolder)),
      STORAGE_FOLDER: given.STORAGE_FOLDER ?? join(dataFolder, 'images'),
      // Sockets are taken from the web app's own address only, and Vite's is another one.
      ...(devServer === undefined || given.PUBLIC_URL !== undefined ? {} : { PUBLIC_URL: devServer.url }),
      ...options.settings,
      ...settingsFor(urls),
      PORT: String(port),
    });
    const mongodbUrl = env.MONGODB_URL!;
    const ownDatabase = given.MONGODB_URL === undefined || isMongoOnLoopback(given.MONGODB_URL);
    const mayHaveDemoSellers = ownDatabase && isLoopback(host);
    if (ownDatabase && !mayHaveDemoSellers && (await takeDemoPasswords(mongodbUrl)) > 0) {
      say(`the demo sellers cannot sign in while HOST=${host} lets other machines in`);
    }
    const startProgram = async (name: 'server' | 'worker') => {
      const start = () =>
        startProcess({
          name,
          command: [`${name}/main.ts`],
          env,
          logFolder,
          endMs: name === 'worker' ? workerEndMs : 10_000,
          signal,
          onWords: web === 'dev' ? (line) => say(`${name}: ${line}`) : undefined,
        });
      const program =
        web === 'dev' ? await startFollowing(name, [name, 'shared'], start, say) : await start();
      programs.push(program);
      watchOver(program);
      return program;
    };
    const [server] = await all([startProgram('server'), startProgram('worker')]);
    const url = server!.url ?? `http://127.0.0.1:${port}`;
    const hasDemoSeller = stripeUrl !== undefined && mayHaveDemoSellers;
    const [isNewDemoSeller = false] = hasDemoSeller
      ? await makeSellers({ mongodbUrl, stripeUrl }, [demoSeller])
      : [];
    lock.note({ url, mongodbUrl, stripeUrl, mayHaveDemoSellers });
    const pages = { mail: mailPage, stripe: stripeUrl };
    return {
      url,
      devUrl: devServer?.url,
      local,
      pages,
      hasDemoSeller,
      isNewDemoSeller,
      broken: death.promise,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Others may pass through to the queue's folder, whose PostgreSQL may run as another user, but not look around. */
async function makeDataFolder(dataFolder: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o711 });
    if (process.getuid?.() === 0) await chmod(dataFolder, 0o711);
    await mkdir(join(dataFolder, 'images'), { recursive: true, mode: 0o700 });
    await access(dataFolder, constants.W_OK);
  } catch (error) {
    throw new StackError(
      `cannot write to ${dataFolder} (${(error as NodeJS.ErrnoException).code}): does it belong to another user?`,
    );
  }
}

/** Sells at the local Stripe what Packshot offers, and has its events sent here. @returns the secret that signs them */
async function prepareStripe(url: string, port: number, dataFolder: string): Promise<string> {
  const stripe = openStripe({ secretKey: localStripeKey, apiUrl: url });
  const { settings } = await setUpStripe(stripe, `http://127.0.0.1:${port}`, true);
  return keptWebhookSecret(dataFolder, settings.STRIPE_WEBHOOK_SECRET);
}
