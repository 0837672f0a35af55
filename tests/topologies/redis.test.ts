/** The queue on Redis as operators run it: images are made, and a failover in the middle loses none. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Cluster } from 'ioredis';
import { expect, test } from 'vitest';
import { openQueue } from '#shared/platform/queue.ts';
import { queueConnection } from '#shared/platform/queue-connection.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { startCluster, startSentinels, startTlsRedis } from '#tests/support/redis-topologies.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';

const images = 12;

/** Starts a stack with its queue at a URL. */
function startStack(queueUrl: string): Promise<TestStack> {
  const settings = { QUEUE_URL: queueUrl, UPKEEP_INTERVAL_MS: '1000', WORKER_CONCURRENCY: '2' };
  return startTestStack({ workers: 2, settings, images: { default: { kind: 'slow', ms: 200 } } });
}

test.for([
  ['a cluster', startCluster],
  ['sentinels', startSentinels],
] as const)(
  'with %s, a master that is killed loses no image and stops no worker',
  {
    timeout: limitMs(300_000),
  },
  async ([, start], { onTestFinished }) => {
    const topology = await start();
    onTestFinished(() => topology.close());
    const stack = await startStack(topology.url);
    onTestFinished(() => stack.close());
    const seller = await stack.seller();
    const window = await seller.openWindow();
    const ids: string[] = [];
    const submitHalf = async () => {
      for (let index = 0; index < images / 2; index += 1) ids.push((await seller.submit()).id);
    };
    await submitHalf();
    await window.untilEnded(ids[0]!);
    await topology.killMaster();
    // Accepted while there is no master: the row decides, and its job follows.
    await submitHalf();
    await topology.untilReplaced();
    const states = async () => {
      const rows = await stack.models.generations.find({ _id: { $in: ids } }).lean();
      return rows.map(({ state, fence }) => ({ state, fence }));
    };
    const allMade = ids.map(() => ({ state: 'succeeded', fence: expect.any(Number) }));
    await expect.poll(states, { timeout: limitMs(120_000) }).toEqual(allMade);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
    const { generationsLeft, generationsHeld } = (await seller.me()).subscription;
    expect([generationsLeft, generationsHeld]).toEqual([100 - images, 0]);
    // Jobs and events pass again.
    const { id } = await seller.submit();
    expect((await window.untilEnded(id)).state).toBe('succeeded');
    window.close();
  },
);

test('a connection to a cluster that fails is made once the cluster works, or refused once it is closed', {
  timeout: limitMs(120_000),
}, async ({ onTestFinished }) => {
  const topology = await startCluster();
  onTestFinished(() => topology.close());
  const store = queueConnection(topology.url);
  assert(store.kind === 'redis');
  const first = store.open({ offline: true });
  onTestFinished(first.release);
  // BullMQ duplicates the connection on which a worker waits.
  const connection = (first.connection as unknown as Cluster).duplicate();
  await once(connection, 'ready');
  for (const end of ['works', 'is closed']) {
    connection.disconnect();
    await once(connection, 'end');
    const repair = await topology.fail();
    const connecting = connection.connect();
    await once(connection, 'reconnecting');
    if (end === 'works') {
      await repair();
      await connecting;
      expect(connection.status).toBe('ready');
    } else {
      connection.disconnect();
      await expect(connecting).rejects.toThrow('Connection is closed.');
    }
  }
});

test('with TLS, images are made; a certificate of an unknown authority is refused', async ({
  onTestFinished,
}) => {
  const redis = await startTlsRedis();
  onTestFinished(() => redis.close());
  const stack = await startStack(redis.url);
  onTestFinished(() => stack.close());
  const seller = await stack.seller();
  const window = await seller.openWindow();
  const { id } = await seller.submit();
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  window.close();

  const withoutAuthority = openQueue({ queueUrl: redis.url.split('?')[0]!, queueName: 'refused' });
  const [error] = (await once(withoutAuthority, 'error')) as [Error];
  expect(error.message).toMatch(/certificate/);
  await withoutAuthority.close();
});
