/** The relay on PostgreSQL: what it does less often than BullMQ asks for. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { queueConnection } from '#shared/platform/queue-connection.ts';
import { createRelayBackend } from '#shared/platform/relay-backend.ts';
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
test.beforeEach(({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a lease that was just renewed is not renewed again, and a lost one is noticed within a tenth of it', async ({
  backend,
}) => {
  expect(await backend.heartbeat(node, leaseMs)).toBe(true);
  await backend.unregisterNode(node);
  // It is believed for a tenth of its time.
  vi.advanceTimersByTime(leaseMs / 10 - 1);
  expect(await backend.heartbeat(node, leaseMs)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(await backend.heartbeat(node, leaseMs)).toBe(false);
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
  vi.advanceTimersByTime(1_000);
  expect(await backend.trimInbox(node, '', 1)).toBe(0);
});

test('what is published at once is one statement; one that is refused stops no other', async ({
  backend,
}) => {
  for (const topic of ['a', 'b']) await backend.subscribe(node, `endpoint-${topic}`, topic);
  const { connection } = backend as unknown as {
    connection: { pool: { query(...given: unknown[]): unknown } };
  };
  const statements = vi.spyOn(connection.pool, 'query');
  const publish = (topic: string, data: string) =>
    backend.publish(topic, data, { ts: Date.now(), retainMs: 0, maxSize: 10 });
  const sent = await Promise.all([
    publish('b', '1'),
    publish('a', '2'),
    publish('b', '3'),
    publish('c', '4'),
  ]);
  expect(statements).toHaveBeenCalledTimes(1);
  expect(sent.map(({ nodes, endpoints }) => [nodes, endpoints])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  const dataOf = async (topic: string, cursor = '') => {
    // What was published since the last reading is read once it was announced.
    const read = await backend.readInbox(node, cursor, { blockMs: limitMs(10_000), count: 10 });
    return {
      cursor: read.cursor,
      data: read.entries.filter((each) => each.topic === topic).map((each) => each.data),
    };
  };
  const { cursor, data } = await dataOf('b');
  expect(data).toEqual(['1', '3']);

  const [one, large, other] = await Promise.allSettled([
    publish('b', '5'),
    publish('a', 'larger than may be'),
    publish('b', '6'),
  ]);
  expect([one.status, large.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await dataOf('b', cursor)).data).toEqual(['5', '6']);
});

test('two that publish on the same topics at once lose nothing, keep the order of each, and do not wait for each other', async ({
  stack,
  backend,
}) => {
  const store = queueConnection(stack.config.queueUrl);
  if (store.kind !== 'postgres') throw new Error('this test needs PostgreSQL');
  const another = createRelayBackend({ connection: store.connection, namespace: backend.namespace });
  const topics = ['t1', 't2', 't3', 't4', 't5'];
  for (const topic of topics) await backend.subscribe(node, `endpoint-${topic}`, topic);
  const options = { ts: Date.now(), retainMs: 0, maxSize: 100 };
  const rounds = 40;
  const publishRounds = async (by: typeof backend, name: string, order: readonly string[]) => {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(order.map((topic) => by.publish(topic, `${name} ${round}`, options)));
    }
  };
  await Promise.all([
    publishRounds(backend, 'one', topics),
    publishRounds(another, 'two', topics.toReversed()),
  ]);
  await another.close();
  const received: string[] = [];
  let cursor = '';
  do {
    const read = await backend.readInbox(node, cursor, { blockMs: 0, count: 100 });
    received.push(...read.entries.map(({ topic, data }) => `${topic} ${data}`));
    cursor = read.cursor;
  } while (cursor !== '');
  const of = (topic: string, name: string) =>
    Array.from({ length: rounds }, (_, round) => `${topic} ${name} ${round}`);
  for (const topic of topics) {
    for (const name of ['one', 'two']) {
      expect(received.filter((each) => each.startsWith(`${topic} ${name} `))).toEqual(of(topic, name));
    }
  }
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
  expect(await backend.trimInbox(node, '', 1)).toBe(0);
});
