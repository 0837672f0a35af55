/** The relay on PostgreSQL: what it does less often than BullMQ asks for. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { queueConnection } from '#shared/platform/queue-connection.ts';
import { createRelayBackend } from '#shared/platform/relay-backend.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testWithStack } from '#tests/support/test.ts';

const leaseMs = limitMs(2_000);
const node = 'node';

const test = testWithStack({ workers: 0 }).extend('backend', async ({ stack }, { onCleanup }) => {
  const store = queueConnection(stack.config.queueUrl);
  if (store.kind !== 'postgres') throw new Error('this test needs PostgreSQL');
  const backend = createRelayBackend({ connection: store.connection, namespace: randomUUID() });
  onCleanup(() => backend.close());
  await backend.registerNode(node, leaseMs);
  return backend;
});

test('a lease that was just renewed is not renewed again, and a lost one is noticed within a tenth of it', async ({
  backend,
}) => {
  expect(await backend.heartbeat(node, leaseMs)).toBe(true);
  await backend.unregisterNode(node);
  // It is believed for a tenth of its time.
  expect(await backend.heartbeat(node, leaseMs)).toBe(true);
  await expect.poll(() => backend.heartbeat(node, leaseMs), eventually).toBe(false);
  // From then on it is always asked for.
  await backend.registerNode(node, leaseMs);
  expect(await backend.heartbeat(node, leaseMs)).toBe(true);
});

test('an inbox is trimmed once a second, and reading it removes what was read', async ({ backend }) => {
  await backend.subscribe(node, 'endpoint', 'topic');
  const publish = () => backend.publish('topic', '{}', { ts: Date.now(), retainMs: 0, maxSize: 1_000 });
  await publish();
  await publish();
  expect(await backend.trimInbox(node, '', 1)).toBe(1);
  await publish();
  expect(await backend.trimInbox(node, '', 1)).toBe(1);
  expect((await backend.getNodes(0, -1))[0]).toMatchObject({ dropped: 1 });
  const { entries, cursor } = await backend.readInbox(node, '', { blockMs: 0, count: 10 });
  expect(entries).toHaveLength(2);
  expect((await backend.readInbox(node, cursor, { blockMs: 0, count: 10 })).entries).toEqual([]);
  await expect.poll(() => backend.trimInbox(node, '', 1), eventually).toBe(0);
});

test('an inbox is read once for what is there, and nothing that comes between two readings is missed', async ({
  backend,
}) => {
  await backend.subscribe(node, 'endpoint', 'topic');
  const readings = vi.spyOn(backend as unknown as { run(command: string): Promise<unknown> }, 'run');
  const readingsSoFar = () =>
    readings.mock.calls.filter(([command]) => command === 'relay_read_inbox').length;
  const publish = (data: string) =>
    backend.publish('topic', data, { ts: Date.now(), retainMs: 0, maxSize: 1_000 });
  const waiting = { blockMs: limitMs(10_000), count: 10 };

  await publish('1');
  await publish('2');
  let batch = await backend.readInbox(node, '', waiting);
  expect(batch.entries.map(({ data }) => data)).toEqual(['1', '2']);
  // The announcements of both may come after they were read: that they are no news costs a reading.
  batch = await backend.readInbox(node, batch.cursor, { ...waiting, blockMs: 0 });
  batch = await backend.readInbox(node, batch.cursor, { ...waiting, blockMs: 0 });
  const before = readingsSoFar();
  // One after the other, while nobody reads and while somebody waits.
  for (const data of ['3', '4', '5', '6']) {
    const reading = data === '3' ? publish(data).then(() => undefined) : publish(data);
    const received: string[] = [];
    while (received.length === 0) {
      batch = await backend.readInbox(node, batch.cursor, waiting);
      received.push(...batch.entries.map((entry) => entry.data));
    }
    await reading;
    expect(received).toEqual([data]);
  }
  expect(readingsSoFar() - before).toBeLessThanOrEqual(6);
  await backend.readInbox(node, batch.cursor, { ...waiting, blockMs: 0 });
  await expect.poll(() => backend.trimInbox(node, '', 1), eventually).toBe(0);
});
