/** Downloads that are made while they are read: their slots, clients that disconnect, and clients that stop reading. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { paths } from '#contract';
import type { Decoder } from '#server/decoder/decoder.ts';
import { type RunningServer, type ServerOptions, startServer } from '#server/server.ts';
import { downloadSlots } from '#server/uploads/slots.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { askForExport } from '#tests/support/account.ts';
import { deadlinesHere } from '#tests/support/deadlines.ts';
import { answerOf, expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** More than what the kernel takes for a client that does not read. */
const largeBytes = 40_000_000;

/** Another server on the stores of a stack. */
async function serverWith(stack: TestStack, options: ServerOptions): Promise<RunningServer> {
  const server = await startServer(loadConfig({ ...stack.settings, PORT: '0' }), {
    site: null,
    decoder: stack.server.context.decoder,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Requests a path and reads no more than the beginning of the reply. */
async function startDownload({ url }: RunningServer, { token }: Seller, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: packshot\r\nauthorization: Bearer ${token}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** A seller with a large image, which nothing compresses. */
async function sellerOfLargeImage(stack: TestStack): Promise<{ seller: Seller; imagePath: string }> {
  const seller = await stack.seller();
  const { _id: id, image } = await insertImage(stack, seller);
  await stack.server.context.storage.put(image!.key, randomBytes(largeBytes));
  return { seller, imagePath: paths.generationImage(id, 'image') };
}

const connectionsOf = ({ app }: RunningServer) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

const authorized = ({ token }: Seller) => ({ headers: { authorization: `Bearer ${token}` } });

test('a seller has slots for downloads; another waits, and gets one when a client disconnects', async ({
  stack,
}) => {
  const downloads = { ...downloadSlots, perOwner: 2, total: 3, waitMs: limitMs(1_000) };
  const server = await serverWith(stack, { downloads });
  const [{ seller }, other] = [await sellerOfLargeImage(stack), await stack.seller()];
  const { _id: id } = await insertImage(stack, seller);
  const exported = `${server.url}${paths.exports}?images=${id}&presets=ebay`;
  const [first] = [
    await startDownload(server, seller, await askForExport(seller)),
    await startDownload(server, seller, await askForExport(seller)),
  ];
  const refused = await answerOf(fetch(exported, authorized(seller)));
  expectError(refused, 'TOO_MANY_DOWNLOADS');
  expect(refused.headers.get('retry-after')).toBe('10');
  // Not those of others, and not what is stored.
  expect((await fetch(server.url + (await askForExport(other)), authorized(other))).status).toBe(200);
  expect((await fetch(server.url + paths.generationImage(id, 'image'), authorized(seller))).status).toBe(200);

  const waiting = fetch(exported, authorized(seller));
  first.destroy();
  const reply = await waiting;
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await reply.arrayBuffer()).byteLength).toBe(Number(reply.headers.get('content-length')));
});

test('an export whose client disconnects makes no further file', async ({ stack }) => {
  const { decoder } = stack.server.context;
  const goOn = Promise.withResolvers<void>();
  const signals: (AbortSignal | undefined)[] = [];
  const watched: Decoder = {
    ...decoder,
    async export(client, order) {
      signals.push(client.disconnected);
      await goOn.promise;
      return decoder.export(client, order);
    },
  };
  const server = await serverWith(stack, { decoder: watched });
  const seller = await stack.seller();
  const { _id: id } = await insertImage(stack, seller);
  for (const presets of ['ebay,original,etsy', 'ebay']) {
    signals.length = 0;
    const leaving = new AbortController();
    const url = `${server.url}${paths.exports}?images=${id}&presets=${presets}`;
    const reply = fetch(url, { ...authorized(seller), signal: leaving.signal });
    reply.then((each) => each.arrayBuffer()).catch(() => {});
    await expect.poll(() => signals.length, { timeout: limitMs(5_000) }).toBe(1);
    leaving.abort();
    await expect.poll(() => signals[0]?.aborted, { timeout: limitMs(5_000) }).toBe(true);
  }
  goOn.resolve();
  await server.app.requestsEnded(limitMs(5_000));
  expect(signals).toHaveLength(1);
});

test('an export whose first file cannot be made now is answered with the error', async ({ stack }) => {
  const { decoder } = stack.server.context;
  const full: Decoder = {
    ...decoder,
    export: async () => {
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 10 });
    },
  };
  const server = await serverWith(stack, { decoder: full });
  const seller = await stack.seller();
  const { _id: id } = await insertImage(stack, seller);
  for (const presets of ['ebay', 'ebay,original']) {
    const url = `${server.url}${paths.exports}?images=${id}&presets=${presets}`;
    const answer = await answerOf(fetch(url, authorized(seller)));
    expectError(answer, 'UNAVAILABLE');
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(answer.headers.get('content-disposition')).toBeNull();
  }
});

test('a reply that its client stops reading is ended', async ({ stack }) => {
  const deadlines = { ...deadlinesHere, replyMs: limitMs(300), replyCheckMs: limitMs(30) };
  const server = await serverWith(stack, { deadlines });
  const { seller, imagePath } = await sellerOfLargeImage(stack);
  for (const path of [imagePath, await askForExport(seller)]) {
    const socket = await startDownload(server, seller, path);
    expect(await connectionsOf(server)).toBe(1);
    await expect.poll(() => connectionsOf(server), { timeout: limitMs(20_000) }).toBe(0);
    socket.destroy();
  }
  // One that reads gets all of it.
  const reply = await fetch(server.url + imagePath, authorized(seller));
  expect((await reply.arrayBuffer()).byteLength).toBe(largeBytes);
});
