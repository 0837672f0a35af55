/** `/healthz` and `/readyz` of a worker, on the port of its metrics. Not in `npm test`: their readings are up to four seconds old. */
import { expect } from 'vitest';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStoreProxies } from '#tests/support/test.ts';

const test = testWithStoreProxies({ workers: 0 })
  .extend('port', { scope: 'file' }, () => findFreePort())
  .extend('worker', { scope: 'file' }, async ({ stack, mongo, queue, port }) =>
    stack.startWorker({ MONGODB_URL: mongo.url, QUEUE_URL: queue.url, METRICS_PORT: String(port) }),
  );

async function probe(port: number, path: '/healthz' | '/readyz') {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { httpStatus: answer.status, ...((await answer.json()) as object) };
}

const ready = { httpStatus: 200, status: 'ok', database: 'ok', storage: 'ok', queue: 'ok' };

test.for([
  ['mongo', 'database'],
  ['queue', 'queue'],
] as const)(
  'while %s is away, the worker is not ready, and is not restarted',
  async ([store, check], { worker, port, mongo, queue }) => {
    const proxy = { mongo, queue }[store];
    expect(worker.jobs.isRunning()).toBe(true);
    await expect.poll(() => probe(port, '/readyz'), eventually).toEqual(ready);
    proxy.cut();
    try {
      await expect
        .poll(() => probe(port, '/readyz'), eventually)
        .toEqual({ ...ready, httpStatus: 503, status: 'failed', [check]: 'failed' });
      expect(await probe(port, '/healthz')).toEqual({ httpStatus: 200, status: 'ok' });
    } finally {
      proxy.restore();
    }
    await expect.poll(() => probe(port, '/readyz'), eventually).toEqual(ready);
  },
);

test('a worker that pauses is alive; one that takes no more jobs is not', async ({ worker, port }) => {
  await worker.jobs.pause(true);
  expect(await probe(port, '/healthz')).toEqual({ httpStatus: 200, status: 'ok' });
  worker.jobs.resume();
  await worker.jobs.close();
  expect(await probe(port, '/healthz')).toEqual({ httpStatus: 503, status: 'failed' });
});
