import { expect, inject, onTestFinished } from 'vitest';
import { paths } from '#contract';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  // Before the server's queue and relay; the workers reach theirs directly.
  .extend('serverQueue', { scope: 'file' }, async ({ queueUrl }, { onCleanup }) => {
    const proxy = await startTcpProxy(queueUrl);
    onCleanup(() => proxy.close());
    return proxy;
  })
  .override('stackOptions', ({ serverQueue }) => ({ workers: 0, settings: { QUEUE_URL: serverQueue.url } }));
test.beforeEach(({ stack }) => stack.images.reset());

/** One job at a time, so that their order shows. */
async function startWorker(stack: TestStack): Promise<void> {
  const worker = await stack.startWorker({ QUEUE_URL: inject('queueUrl'), WORKER_CONCURRENCY: '1' });
  onTestFinished(() => worker.close());
}

test('enterprise goes first, and a seller with twenty waiting does not starve one with a single job', async ({
  stack,
}) => {
  const busy = await stack.seller();
  const single = await stack.seller();
  const enterprise = await stack.seller({ plan: 'enterprise' });
  const windows = await Promise.all([busy, single, enterprise].map((seller) => seller.openWindow()));
  const many = [];
  for (let index = 0; index < 20; index += 1) {
    const view = await busy.submit({ prompt: `busy ${index}` });
    expect(view.position).toBe(index + 1);
    many.push(view);
  }
  const lone = await single.submit({ prompt: 'single' });
  expect(lone.position).toBe(2);
  const first = await enterprise.submit({ prompt: 'enterprise' });
  expect(first.position).toBe(1);
  const positions = (await busy.generations()).map((view) => view.position).reverse();
  expect(positions).toEqual([2, ...Array.from({ length: 19 }, (_, index) => index + 4)]);
  expect((await single.generation(lone.id)).position).toBe(3);

  await startWorker(stack);
  await Promise.all([
    ...many.map(({ id }) => windows[0]!.untilEnded(id)),
    windows[1]!.untilEnded(lone.id),
    windows[2]!.untilEnded(first.id),
  ]);
  const order = (await stack.images.state()).calls.map((call) => call.prompt);
  expect(order).toEqual([
    'enterprise',
    'busy 0',
    'single',
    ...Array.from({ length: 19 }, (_, index) => `busy ${index + 1}`),
  ]);
  for (const window of windows) window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a server restart in the middle of a job: the socket comes back by itself, and the end is seen', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });

  // Its end comes while no server is there to pass it on.
  const unseen = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const back = new Promise<void>((resolve) => window.socket.once('connect', resolve));
  const gone = new Promise((resolve) => window.socket.once('disconnect', resolve));
  const restarted = stack.restartServer();
  await gone;
  await stack.images.release();
  await restarted;
  await back;
  await expect.poll(async () => (await seller.generation(unseen.id)).state, eventually).toBe('succeeded');

  // The connection that came back hears as the first one did.
  const next = await seller.submit();
  const heard = await window.untilEnded(next.id);
  expect(heard.state).toBe('succeeded');
  expect(await seller.generation(next.id)).toEqual(heard);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 98, generationsHeld: 0 });
  window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('events lost while the relay is away cost nothing but time', async ({ stack, serverQueue }) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  serverQueue.cut();
  await stack.images.release();
  // What the app does while something is pending: it asks.
  await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  expect(window.heard.filter((view) => view.id === id && view.state === 'succeeded')).toEqual([]);

  serverQueue.restore();
  await expect
    .poll(
      async () => {
        const next = await seller.submit();
        await expect.poll(async () => (await seller.generation(next.id)).state, eventually).toBe('succeeded');
        return window.heard.some((view) => view.id === next.id);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  window.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('revisions of one generation only grow, whatever the order of its events', async ({ stack }) => {
  const seller = await stack.seller();
  const window = await seller.openWindow();
  await startWorker(stack);
  const { id } = await seller.submit();
  const end = await window.untilEnded(id);
  const views = window.heard.filter((view) => view.id === id);
  const revisions = views.map((view) => view.revision);
  expect(new Set(revisions).size).toBe(revisions.length);
  expect(Math.max(...revisions)).toBe(end.revision);
  expect(views.map((view) => view.state)).toContain('running');
  window.close();
});

test("signing out ends that session's windows and no others", async ({ stack }) => {
  const seller = await stack.seller();
  const stranger = await stack.seller();
  const [window, other] = [await seller.openWindow(), await stranger.openWindow()];
  const told = new Promise((resolve) => window.socket.once('sessionEnded', () => resolve(true)));
  const gone = new Promise((resolve) => window.socket.once('disconnect', resolve));
  const signedOut = await seller.request(paths.session, { method: 'DELETE' });
  expect(signedOut.status).toBe(204);
  expect(await told).toBe(true);
  expect(await gone).toBe('io server disconnect');
  expect((await seller.request(paths.me)).status).toBe(401);
  await expect(seller.openWindow()).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } });
  expect(other.socket.connected).toBe(true);
  other.close();
});
