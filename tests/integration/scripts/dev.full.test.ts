/** `npm run dev` in a copy of the checkout: it makes images, and changes of a route and of a step of the worker take effect. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths, type Service } from '#contract';
import type { Client } from '#scripts/demo/client.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { limitMs } from '#tests/support/machine.ts';
import { demoClient, makeImage, processesWith, submitImage } from '#tests/support/running-start.ts';

/** Where the web app is served unless another checkout is served there. */
const usualPort = 5_173;

let checkout: string;
let dev: ChildProcess;
/** All that the developer reads. */
let screen = '';
/** Stands for the development server of another checkout. */
let otherCheckout: Server;

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'packshot-test-dev-'));
  // PostgreSQL runs as another user when this is root, and its data lies in the checkout.
  await chmod(checkout, 0o711);
  await copyCheckout();
  otherCheckout = createServer().listen(usualPort, '127.0.0.1');
  // Another checkout may really be served there.
  otherCheckout.on('error', () => {});
  const { VITEST: _, NODE_ENV: __, ...environment } = readEnvironment();
  dev = spawn('npm', ['run', 'dev'], {
    cwd: checkout,
    env: { ...environment, PORT: String(await findFreePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [dev.stdout!, dev.stderr!]) {
    stream.setEncoding('utf8').on('data', (text) => {
      screen += text;
    });
  }
});
afterAll(async () => {
  otherCheckout.close();
  if (dev.exitCode === null && dev.signalCode === null) process.kill(-dev.pid!, 'SIGKILL');
  await rm(checkout, { recursive: true, force: true, maxRetries: 20 });
});

/** Copies this checkout, without data and the built web app; the packages are links to those of this one. */
async function copyCheckout(): Promise<void> {
  const left = new Set(['node_modules', '.git', '.data', 'dist']);
  await cp(rootFolder, checkout, { recursive: true, filter: (path) => !left.has(basename(path)) });
  const packages = join(rootFolder, 'node_modules');
  await mkdir(join(checkout, 'node_modules'));
  for (const name of await readdir(packages)) {
    // Vite keeps what it made of them in folders that begin with a point.
    if (name.startsWith('.vite') || name === '.cache') continue;
    await symlink(join(packages, name), join(checkout, 'node_modules', name));
  }
}

/** Replaces a text in a source file: by a new file in its place, as git and many editors do, or in place. */
async function edit(
  path: string,
  how: 'replaced' | 'in place',
  before: string,
  after: string,
): Promise<void> {
  const file = join(checkout, path);
  const source = await readFile(file, 'utf8');
  expect(source).toContain(before);
  if (how === 'in place') return writeFile(file, source.replace(before, after));
  await writeFile(`${file}.new`, source.replace(before, after));
  await rename(`${file}.new`, file);
}

const shows = (text: string | RegExp) =>
  expect.poll(() => screen, { timeout: limitMs(90_000) }).toMatch(text);
const address = (name: string) => new RegExp(`^ +${name} +(http\\S+)`, 'm').exec(screen)?.[1] ?? '';

let client: Client;

test('it serves at the next free port, whose pages may use the API, and makes the first images', async () => {
  await shows(/Packshot is ready/);
  const url = address('Address');
  expect(Number(new URL(url).port)).toBeGreaterThan(usualPort);
  const statusFrom = async (origin: string) => {
    const reply = await fetch(url + paths.session, { method: 'POST', headers: { origin } });
    return reply.status;
  };
  const [own, foreign] = [await statusFrom(url), await statusFrom(`http://127.0.0.1:${usualPort}`)];
  expect({ own, foreign }).toEqual({ own: 400, foreign: 403 });
  await shows(/created 3 images for the demo seller/);
  client = await demoClient(address('API'));
});

const step = 'const obstacle = await context.storageWatch.check();';

test.for(['replaced', 'in place'] as const)(
  'a step of the worker that is edited (%s) makes the next images, and an image that is under way is made',
  async (how) => {
    const first = await submitImage(client);
    let isRunning = false;
    const last = client.follow(first, ({ state }) => {
      isRunning ||= state === 'running';
    });
    await expect.poll(() => isRunning).toBe(true);
    const restarts = screen.split('worker runs again').length;
    await edit('worker/generate/make-image.ts', how, step, `console.error('edited ${how}'); ${step}`);
    await expect.poll(() => screen.split('worker runs again').length).toBe(restarts + 1);
    expect((await last).state).toBe('succeeded');
    expect(await makeImage(client)).toBe('succeeded');
    expect(screen).toContain('worker/generate/make-image.ts has changed');
    await shows(`worker: edited ${how}`);
  },
);

test('a route that is edited answers as it now says', async () => {
  const service = async () => {
    const reply = await fetch(address('API') + paths.service).catch(() => undefined);
    return (await reply?.json()) as Service | undefined;
  };
  expect(await service()).toMatchObject({ tryOut: false, freeImages: 3 });
  const route = 'server/status/service-routes.ts';
  await edit(route, 'replaced', 'return { tryOut,', 'return { tryOut: true,');
  await expect.poll(service).toMatchObject({ tryOut: true, freeImages: 3 });
  await edit(route, 'in place', 'freeImages, banner', 'freeImages: 2, banner');
  await expect.poll(service).toMatchObject({ tryOut: true, freeImages: 2 });
  expect(await makeImage(client)).toBe('succeeded');
});

test('Ctrl-C ends all of it', async () => {
  // As in a terminal: every process of the command's group gets the signal.
  process.kill(-dev.pid!, 'SIGINT');
  await once(dev, 'exit');
  await expect.poll(() => processesWith(checkout)).toEqual([]);
});
