/** `npm run local -- mongo|queue|openai|stripe|mail [--port N] [--data DIR]`: one local service by itself. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { invocationFolder } from '#scripts/npm.ts';
import { askedToEnd } from '#scripts/start/lifetime.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const usage = `Usage: npm run local -- mongo|queue|openai|stripe|mail [--port N] [--data DIR]
  mongo    MongoDB's wire protocol over SQLite, for MONGODB_URL
  queue    PostgreSQL, for QUEUE_URL
  openai   OpenAI's image edits, composed instead of generated, for OPENAI_BASE_URL
  stripe   Stripe's API for subscriptions with checkout and portal pages
  mail     SMTP that keeps mails and shows them on a page, for SMTP_URL
  --port N            listen on this port of 127.0.0.1 instead of a free one
  --data DIR          keep the data there instead of .data/<service>
  --web-port N        mail: show the page on this port instead of a free one
  --control           openai, stripe, mail: add /control, which makes it slow or fail
  --mode instant      openai: answer a prepared image at once
It prints its URL when it is ready and ends on Ctrl-C or SIGTERM.`;

/** A started service: its address, how it ends, and (where it can end by itself) when it has. */
interface Service {
  url: string;
  /** A page for people, where it has one. */
  pageUrl?: string;
  close(): Promise<void>;
  ended?: Promise<string>;
}

interface Wishes {
  port: number;
  webPort: number;
  dataFolder: string;
  control: boolean;
  mode: 'render' | 'instant';
}

/** Each service is loaded only when it is asked for: the others' libraries would cost their start-up time. */
const services: Record<string, (wishes: Wishes) => Promise<Service>> = {
  async mongo({ port, dataFolder }) {
    const { startMongoServer } = await import('./mongo/server.ts');
    return startMongoServer({ port, dataFolder });
  },
  async queue({ port, dataFolder }) {
    const { startQueueServer } = await import('./queue/server.ts');
    return startQueueServer({ port, dataFolder });
  },
  async openai({ port, control, mode }) {
    const { startImageServer } = await import('./openai/server.ts');
    return startImageServer({ port, control, mode });
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

/** Reads the command line; a wrong one ends the process with what would be right. */
function readWishes(): Wishes & { name: string } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '0' },
        'web-port': { type: 'string', default: '0' },
        data: { type: 'string' },
        control: { type: 'boolean', default: false },
        mode: { type: 'string', default: 'render' },
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
      throw new Error('--mode takes render or instant');
    }
    const dataFolder =
      values.data === undefined ? join(rootFolder, '.data', name) : resolve(invocationFolder(), values.data);
    return { name, port, webPort, dataFolder, control: values.control, mode: values.mode };
  } catch (error) {
    console.error(`local: ${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${option} takes 0 to 65535`);
  return port;
}

function reason(error: unknown, wishes: Wishes): string {
  const { code, message, port = wishes.port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    const option = port === wishes.port ? '--port' : '--web-port';
    return `port ${port} of 127.0.0.1 is taken; choose another with ${option}`;
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `no permission: ${message}. Does ${wishes.dataFolder} belong to another user?`;
  }
  return message;
}

const { name, ...wishes } = readWishes();
const end = askedToEnd();
let service: Service;
try {
  // PostgreSQL may run as another user, which has to pass through its folder.
  const mode = name === 'queue' ? 0o711 : 0o700;
  if (name !== 'openai') await mkdir(wishes.dataFolder, { recursive: true, mode });
  service = await services[name]!(wishes);
} catch (error) {
  console.error(`local ${name}: ${reason(error, wishes)}`);
  process.exit(1);
}
console.log(service.pageUrl === undefined ? service.url : `${service.url}\n${service.pageUrl}`);
process.send?.({ ready: true, url: service.url, pageUrl: service.pageUrl });

const died = await Promise.race([end, ...(service.ended === undefined ? [] : [service.ended])]);
if (died !== undefined) {
  console.error(`local ${name}: ended by itself: ${died.split('\n').at(-1) ?? ''}`);
  process.exit(1);
}
await service.close();
process.exit(0);
