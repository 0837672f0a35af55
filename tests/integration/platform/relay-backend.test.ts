/** The relay on PostgreSQL: what it does less often than BullMQ asks for. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
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
