/** `/readyz` while a store cannot be reached. */

import { expect } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { testWithStoreProxies } from '#tests/support/test.ts';

const test = testWithStoreProxies({ workers: 0 }).extend(
  'url',
  { scope: 'file' },
  async ({ stack, mongo, queue }) => {
    return (await stack.startServer({ MONGODB_URL: mongo.url, QUEUE_URL: queue.url })).url;
  },
);

async function readiness(url: string) {
  const answer = await fetch(`${url}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as object) };
}

test('without the queue the server is ready and accepts submissions', async ({ stack, queue, url }) => {
  const seller = await stack.seller({ url });
  await expect
    .poll(() => readiness(url), eventually)
    .toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
  queue.cut();
  try {
    await expect
      .poll(() => readiness(url), eventually)
      .toMatchObject({ httpStatus: 200, status: 'degraded', database: 'ok', queue: 'failed' });
    const { id } = await seller.submit();
    expect((await seller.generation(id)).state).toBe('queued');
  } finally {
    queue.restore();
  }
  await expect
    .poll(() => readiness(url), eventually)
    .toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
});

test('without MongoDB the server is not ready', async ({ mongo, url }) => {
  mongo.cut();
  try {
    await expect
      .poll(() => readiness(url), eventually)
      .toMatchObject({ httpStatus: 503, status: 'failed', database: 'failed', queue: 'ok' });
  } finally {
    mongo.restore();
  }
  await expect.poll(() => readiness(url), eventually).toMatchObject({ httpStatus: 200, status: 'ok' });
});
