/** `npm run dev` in a copy of the checkout: it makes images, and changes of a route and of a step of the worker take effect. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths, type Service } from '#contract';
import { type Client, createClient, type Session } from '#scripts/start/seller-client.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { demoSession, imageBySocket, makeImage, submitImage } from '#tests/support/running-start.ts';
import { copyCheckout, type TypedCommand, typeCommand } from '#tests/support/typed-command.ts';

/** Where the web app is served unless another checkout is served there. */
const usualPort = 5_173;

let checkout: string;
let dev: TypedCommand;
/** Stands for the development server of another checkout. */
let otherCheckout: Server;

beforeAll(async () => {
  checkout = await copyCheckout();
  otherCheckout = createServer().listen(usualPort, '127.0.0.1');
  // Another checkout may really be served there.
  otherCheckout.on('error', () => {});
  dev = typeCommand(checkout, 'dev', { PORT: String(await findFreePort()) });
});
afterAll(async () => {
  otherCheckout.close();
  dev.kill();
  await rm(checkout, { recursive: true, force: true, maxRetries: 20 });
});

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

let session: Session;
let client: Client;

test('it serves at the next free port, whose pages may use the API, and makes the first images', async () => {
  await dev.shows(/Packshot is ready/);
  const url = dev.address('Address');
  expect(Number(new URL(url).port)).toBeGreaterThan(usualPort);
  const statusFrom = async (origin: string) => {
    const reply = await fetch(url + paths.session, { method: 'POST', headers: { origin } });
    return reply.status;
  };
  const [own, foreign] = [await statusFrom(url), await statusFrom(`http://127.0.0.1:${usualPort}`)];
  expect({ own, foreign }).toEqual({ own: 400, foreign: 403 });
  await dev.shows(/created 3 images for the demo seller/);
  session = await demoSession(dev.address('API'));
  client = createClient(dev.address('API'), session);
});

/** Uploads a photo through the address of the web app, whose socket tells of the image. */
const expectImage = async () => {
  const image = await imageBySocket(dev.address('Address'), session);
  expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 1024, height: 1024 });
};

test('a page there uploads a photo, hears of its image on the socket, and loads it', expectImage);

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
    const restarts = dev.screen().split('worker runs again').length;
    await edit('worker/generate/make-image.ts', how, step, `console.error('edited ${how}'); ${step}`);
    await expect.poll(() => dev.screen().split('worker runs again').length).toBe(restarts + 1);
    expect((await last).state).toBe('succeeded');
    expect(await makeImage(client)).toBe('succeeded');
    expect(dev.screen()).toContain('worker/generate/make-image.ts has changed');
    await dev.shows(`worker: edited ${how}`);
  },
);

test('a route that is edited answers as it now says', async () => {
  const service = async () => {
    const reply = await fetch(dev.address('API') + paths.service).catch(() => undefined);
    return (await reply?.json()) as Service | undefined;
  };
  expect(await service()).toMatchObject({ tryOut: false, freeImages: 3 });
  const route = 'server/status/service-routes.ts';
  await edit(route, 'replaced', 'return { tryOut,', 'return { tryOut: true,');
  await expect.poll(service).toMatchObject({ tryOut: true, freeImages: 3 });
  await edit(route, 'in place', 'freeImages, imagePacks:', 'freeImages: 2, imagePacks:');
  await expect.poll(service).toMatchObject({ tryOut: true, freeImages: 2 });
  await expectImage();
});

test('Ctrl-C ends all of it', async () => {
  // As in a terminal: every process of the command's group gets the signal.
  process.kill(-dev.pid, 'SIGINT');
  await dev.ended();
});
