import { once } from 'node:events';
import { io, type Socket } from 'socket.io-client';
import { expect, inject, onTestFinished } from 'vitest';
import { paths } from '#contract';
import { anotherSession } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import { bearer, handshake, request } from '#tests/support/session-requests.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  // A proxy in front of the server's queue and relay; the workers connect without it.
  .extend('serverQueue', { scope: 'file' }, async ({ queueUrl }, { onCleanup }) => {
    const proxy = await startTcpProxy(queueUrl);
    onCleanup(() => proxy.close());
    return proxy;
  })
  .override('stackOptions', ({ serverQueue }) => ({ workers: 0, settings: { QUEUE_URL: serverQueue.url } }));
test.beforeEach(({ stack }) => stack.images.reset());

/** Starts a worker that executes one job at a time, so that the provider's calls show their order. */
async function startWorker(stack: TestStack): Promise<void> {
  const worker = await stack.startWorker({ QUEUE_URL: inject('queueUrl'), WORKER_CONCURRENCY: '1' });
  onTestFinished(() => worker.close());
}

/** Generations of a busy seller. */
const many = 5;

test('enterprise goes first, and a seller with many queued generations does not starve one with a single generation', async ({
  stack,
}) => {
  const busy = await stack.seller();
  const single = await stack.seller();
  const enterprise = await stack.seller({ plan: 'enterprise' });
  const windows = await Promise.all([busy, single, enterprise].map((seller) => seller.openWindow()));
  const ofBusy = [];
  for (let index = 0; index < many; index += 1) {
    const view = await busy.submit({ prompt: `busy ${index}` });
    expect(view.position).toBe(index + 1);
    ofBusy.push(view);
  }
  const ofSingle = await single.submit({ prompt: 'single' });
  expect(ofSingle.position).toBe(2);
  const ofEnterprise = await enterprise.submit({ prompt: 'enterprise' });
  expect(ofEnterprise.position).toBe(1);
  const positions = (await busy.generations()).map((view) => view.position).reverse();
  expect(positions).toEqual([2, ...Array.from({ length: many - 1 }, (_, index) => index + 4)]);
  expect((await single.generation(ofSingle.id)).position).toBe(3);

  await startWorker(stack);
  await Promise.all([
    ...ofBusy.map(({ id }) => windows[0]!.untilEnded(id)),
    windows[1]!.untilEnded(ofSingle.id),
    windows[2]!.untilEnded(ofEnterprise.id),
  ]);
  const order = (await stack.images.state()).calls.map(describedScene);
  expect(order).toEqual([
    'enterprise',
    'busy 0',
    'single',
    ...Array.from({ length: many - 1 }, (_, index) => `busy ${index + 1}`),
  ]);
  for (const window of windows) window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the server restarts during a job: the socket reconnects, and the end of the job is seen', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });

  // It ends while no server is running that could forward the event.
  const missed = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const reconnected = new Promise<void>((resolve) => window.socket.once('connect', resolve));
  const disconnected = new Promise((resolve) => window.socket.once('disconnect', resolve));
  const restart = stack.restartServer();
  await disconnected;
  await stack.images.release();
  await restart;
  await reconnected;
  await expect.poll(async () => (await seller.generation(missed.id)).state, eventually).toBe('succeeded');

  // The new connection receives events like the first one.
  const next = await seller.submit();
  const ended = await window.untilEnded(next.id);
  expect(ended.state).toBe('succeeded');
  expect(await seller.generation(next.id)).toEqual(ended);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 98, generationsHeld: 0 });
  window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('events that are lost while the relay is unreachable only delay what the seller sees', async ({
  stack,
  serverQueue,
}) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  serverQueue.cut();
  await stack.images.release();
  // The app polls while a generation is pending.
  await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  expect(window.views.filter((view) => view.id === id && view.state === 'succeeded')).toEqual([]);

  serverQueue.restore();
  const later: string[] = [];
  await expect
    .poll(
      async () => {
        later.push((await seller.submit()).id);
        return window.views.map((view) => view.id);
      },
      { interval: 500 },
    )
    .toEqual(expect.arrayContaining([expect.toBeOneOf(later)]));
  window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the events of a generation have distinct revisions, and its end has the highest', async ({ stack }) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  const { id } = await seller.submit();
  const end = await window.untilEnded(id);
  const views = window.views.filter((view) => view.id === id);
  const revisions = views.map((view) => view.revision);
  expect(new Set(revisions).size).toBe(revisions.length);
  expect(Math.max(...revisions)).toBe(end.revision);
  expect(views.map((view) => view.state)).toContain('running');
  window.close();
});

test("signing out disconnects that session's sockets and no others", async ({ stack }) => {
  const seller = await stack.seller();
  const stranger = await stack.seller();
  const [window, other] = [await seller.openWindow(), await stranger.openWindow()];
  const sessionEnded = new Promise((resolve) => window.socket.once('sessionEnded', () => resolve(true)));
  const disconnected = new Promise((resolve) => window.socket.once('disconnect', resolve));
  const signedOut = await seller.request(paths.session, { method: 'DELETE' });
  expect(signedOut.status).toBe(204);
  expect(await sessionEnded).toBe(true);
  expect(await disconnected).toBe('io server disconnect');
  expect((await seller.request(paths.me)).status).toBe(401);
  await expect(seller.openWindow()).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } });
  expect(other.socket.connected).toBe(true);
  other.close();
});

test('signing out ends one session and its sockets on every server, and no other session', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const second = await stack.startServer();
  const window = await seller.openWindow();
  const otherSocket: Socket = io(second.url, {
    path: paths.socket,
    auth: { token: seller.token },
    transports: ['websocket'],
    forceNew: true,
  });
  await once(otherSocket as never, 'connect');
  // The other server has cached the session now.
  expect((await fetch(second.url + paths.me, { headers: bearer(seller.token) })).status).toBe(200);
  const other = await anotherSession(stack.url, seller);

  const ended = [window.socket, otherSocket].flatMap((socket) => [
    once(socket as never, 'sessionEnded'),
    once(socket as never, 'disconnect'),
  ]);
  expect((await seller.request(paths.session, { method: 'DELETE' })).status).toBe(204);
  expectError(await request(stack, paths.me, { headers: bearer(seller.token) }), 'UNAUTHENTICATED');
  await expect
    .poll(() => request(stack, paths.me, { headers: bearer(seller.token) }, second.url), eventually)
    .toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
  await Promise.all(ended);
  expect(await handshake(stack, { auth: { token: seller.token } }, second.url)).toMatchObject({
    data: { code: 'UNAUTHENTICATED' },
  });
  expect((await fetch(second.url + paths.me, { headers: bearer(other.token) })).status).toBe(200);
  expect((await seller.request(paths.session, { method: 'DELETE' })).status).toBe(204);
  otherSocket.disconnect();
});
