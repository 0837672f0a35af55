/** `npm run local -- mongo|queue|openai|stripe|mail [--port PORT] [--data FOLDER]`: runs one stand-in by itself. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChosenModel, modelOfArguments } from '../../shared/cutout/model-arguments.ts';
import { shutdownRequested } from './shutdown-request.ts';

const usage = `Usage: npm run local -- mongo|queue|openai|stripe|mail [OPTION…]
  mongo    MongoDB's wire protocol on top of SQLite, for MONGODB_URL
  queue    PostgreSQL, for QUEUE_URL
  openai   OpenAI's image edits, composed from the photos, for OPENAI_BASE_URL
  stripe   Stripe's API for subscriptions with checkout and portal pages, for STRIPE_API_URL
  mail     an SMTP server that stores mails and shows them on a web page, for SMTP_URL
  --port PORT         listen on this port of 127.0.0.1 (default: any free port)
  --data FOLDER       store data in this folder (default: .data/<service>)
  --web-port PORT     mail: serve the web page on this port (default: any free port)
  --control           openai, stripe, mail: add /control, which makes requests slow or fail
  --no-fsync          mongo: acknowledge writes before they are on disk; for tests
  --mode render|instant
                      openai: compose the image, or answer at once with a prepared one
  --grain             openai, with --mode instant: an image with grain, as large as that of a photograph
  --cutout-model=JSON openai: another model for cutting out products, such as {"file":"/model.onnx"}
  --distinct          openai, with --mode instant: no two images are the same file
  --help              prints this
It prints its URL when it is ready and stops on Ctrl-C or SIGTERM.`;

/** A running stand-in. */
interface Service {
  url: string;
  /** Address of its web page, if it has one besides `url`. */
  pageUrl?: string;
  close(): Promise<void>;
  /** Resolves with its last output when it ends without being asked to. */
  ended?: Promise<string>;
}

interface Options {
  port: number;
  webPort: number;
  dataFolder: string;
  control: boolean;
  fsync: boolean;
  mode: 'render' | 'instant';
  grain: boolean;
  distinct: boolean;
  cutoutModel: ChosenModel | undefined;
}

/** Imports are dynamic because loading the libraries of all services would slow down the start of each. */
const services: Record<string, (options: Options) => Promise<Service>> = {
  async mongo({ port, dataFolder, fsync }) {
    const { startMongoServer } = await import('./mongo/server.ts');
    return startMongoServer({ port, dataFolder, fsync });
  },
  async queue({ port, dataFolder }) {
    const { startQueueServer } = await import('./queue/server.ts');
    return startQueueServer({ port, dataFolder });
  },
  async openai({ port, control, mode, grain, distinct, cutoutModel }) {
    const { startImageServer } = await import('./openai/server.ts');
    return startImageServer({ port, control, mode, grain, distinct, cutoutModel });
  },
  async stripe({ port, dataFolder, control }) {
    const { startStripeServer } = await import('./stripe/server.ts');
    return startStripeServer({ port, dataFolder, control });
  },
  async mail({ port, webPort, dataFolder, control }) {
    const { startMailServer } = await import('./mail/server.ts');
    return startMailServer({ port, webPort, dataFolder, control });
  },
};

/** Reads the command line; on an error it prints a line and exits with status 1. */
function readOptions(): Options & { name: string } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '0' },
        'web-port': { type: 'string', default: '0' },
        data: { type: 'string' },
        control: { type: 'boolean', default: false },
        'no-fsync': { type: 'boolean', default: false },
        mode: { type: 'string', default: 'render' },
        grain: { type: 'boolean', default: false },
        distinct: { type: 'boolean', default: false },
        'cutout-model': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const [name, ...rest] = positionals;
    if (name === undefined || !Object.hasOwn(services, name) || rest.length > 0) {
      throw new Error('name one service: mongo, queue, openai, stripe or mail');
    }
    const port = readPort('--port', values.port);
    const webPort = readPort('--web-port', values['web-port']);
    if (values.mode !== 'render' && values.mode !== 'instant') {
      throw new Error('--mode must be render or instant');
    }
    // npm runs scripts in the folder of package.json and puts the folder in which the command was typed into INIT_CWD.
    const dataFolder =
      values.data === undefined
        ? resolve(join('.data', name))
        : resolve(process.env.INIT_CWD ?? '.', values.data);
    const fsync = !values['no-fsync'];
    return {
      name,
      port,
      webPort,
      dataFolder,
      control: values.control,
      fsync,
      mode: values.mode,
      grain: values.grain,
      distinct: values.distinct,
      cutoutModel: modelOfArguments(process.argv),
    };
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1);
    console.error(`local: ${reason}; --help lists the options`);
    process.exit(1);
  }
}

function readPort(option: string, text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new Error(`${option} must be a number from 0 to 65535`);
  }
  return port;
}

/** Why a service did not start, with the option that helps where there is one. */
function explain(error: unknown, options: Options): string {
  const { code, message, port = options.port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    const option = port === options.port ? '--port' : '--web-port';
    return `port ${port} of 127.0.0.1 is in use; choose another with ${option}`;
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `permission denied: ${message}. Does ${options.dataFolder} belong to another user?`;
  }
  return message;
}

const { name, ...options } = readOptions();
const shutdown = shutdownRequested();
let service: Service;
try {
  // PostgreSQL may run as another user, which needs search permission on its folder.
  const mode = name === 'queue' ? 0o711 : 0o700;
  if (name !== 'openai') await mkdir(options.dataFolder, { recursive: true, mode });
  service = await services[name]!(options);
} catch (error) {
  console.error(`local ${name}: ${explain(error, options)}`);
  process.exit(1);
}
console.log(service.pageUrl === undefined ? service.url : `${service.url}\n${service.pageUrl}`);
process.send?.({ ready: true, url: service.url, pageUrl: service.pageUrl });

const lastOutput = await Promise.race([shutdown, ...(service.ended === undefined ? [] : [service.ended])]);
if (lastOutput !== undefined) {
  console.error(`local ${name}: stopped unexpectedly: ${lastOutput.split('\n').at(-1) ?? ''}`);
  process.exit(1);
}
await service.close();
process.exit(0);
