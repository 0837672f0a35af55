/** What `/readyz` says while a store is away, and that it is true. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { createSeller } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';

let stack: TestStack;
let mongo: TcpProxy;
let queue: TcpProxy;
let url: string;
beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  mongo = await startTcpProxy(stack.config.mongodbUrl);
  queue = await startTcpProxy(stack.config.queueUrl);
  ({ url } = await stack.startServer({ MONGODB_URL: mongo.url, QUEUE_URL: queue.url }));
});
afterAll(async () => {
  await stack.close();
  await Promise.all([mongo.close(), queue.close()]);
});

async function readiness() {
  const answer = await fetch(`${url}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as object) };
}

test('without the queue it is ready: what is submitted is made once the queue is back', async () => {
  const seller = await createSeller({ url, db: stack.db });
  await expect.poll(readiness, eventually).toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
  queue.cut();
  try {
    await expect
      .poll(readiness, eventually)
      .toMatchObject({ httpStatus: 200, status: 'degraded', database: 'ok', queue: 'failed' });
    const { id } = await seller.submit();
    expect((await seller.generation(id)).state).toBe('queued');
  } finally {
    queue.restore();
  }
  await expect.poll(readiness, eventually).toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
});

test('without MongoDB it is not', async () => {
  mongo.cut();
  try {
    await expect
      .poll(readiness, eventually)
      .toMatchObject({ httpStatus: 503, status: 'failed', database: 'failed', queue: 'ok' });
  } finally {
    mongo.restore();
  }
  await expect.poll(readiness, eventually).toMatchObject({ httpStatus: 200, status: 'ok' });
});
