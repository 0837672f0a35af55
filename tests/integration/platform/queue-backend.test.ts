/** A worker on PostgreSQL: what it does not ask twice, and that no job is overlooked for it. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { openNamedQueue, openNamedWorker } from '#shared/platform/queue.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStack } from '#tests/support/test.ts';

type Inside = { backend: { query(text: string, values: unknown[]): Promise<{ rows: object[] }> } };

const test = testWithStack({ workers: 0 }).extend('opened', async ({ stack }, { onCleanup }) => {
  const { queueUrl } = stack.config;
  const name = `test-${randomUUID()}`;
  const queue = openNamedQueue<{ place: number }, 'job'>(queueUrl, name, {
    defaultJobOptions: { removeOnComplete: true, attempts: 2, backoff: 1 },
  });
  const done: number[] = [];
  const failing = new Set<number>();
  const worker = openNamedWorker<{ place: number }, string, 'job'>(
    queueUrl,
    name,
    async ({ data }) => {
      if (failing.delete(data.place)) throw new Error('once');
      done.push(data.place);
      return '';
    },
    // A job that were overlooked would be taken after this time only, in seconds.
    { autorun: false, drainDelay: 3_600 },
  );
  worker.on('failed', () => {});
  onCleanup(async () => {
    await worker.close();
    await queue.close();
  });
  const statements = vi.spyOn((worker as unknown as Inside).backend, 'query');
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  void worker.run();
  return { queue, worker, done, failing, statements };
});

test('jobs are taken one after the other and in bursts, also one that fails and is delayed', async ({
  opened,
}) => {
  const { queue, done, failing } = opened;
  const expected: number[] = [];
  const add = async (...places: number[]) => {
    await Promise.all(places.map((place) => queue.add('job', { place })));
    expected.push(...places);
  };
  const untilDone = () =>
    expect.poll(() => done.toSorted((one, two) => one - two), eventually).toEqual(expected);
  for (let place = 0; place < 30; place += 1) {
    await add(place);
    // While the one before is finished, while the worker asks, and while it waits.
    if (place % 3 === 0) await untilDone();
    else if (place % 3 === 1) await new Promise((resolve) => setImmediate(resolve));
  }
  await untilDone();
  await add(30, 31, 32, 33);
  await untilDone();
  failing.add(34);
  await add(34);
  await untilDone();
});

test('a worker that waits again asks neither whether a job waits nor for the next delayed one', async ({
  opened,
}) => {
  const { queue, done, statements } = opened;
  await queue.add('job', { place: 0 });
  await expect.poll(() => done, eventually).toEqual([0]);
  // As BullMQ explains them.
  const asked = (what: string) => statements.mock.calls.filter(([text]) => text.includes(what)).length;
  const noJob = () => asked('"no job" signal');
  const before = noJob();
  await queue.add('job', { place: 1 });
  await expect.poll(noJob, eventually).toBeGreaterThan(before);
  await queue.add('job', { place: 2 });
  await expect.poll(() => done, eventually).toEqual([0, 1, 2]);
  expect(asked('The timestamp of the next delayed job')).toBe(0);
  expect(asked('Whether the queue has a claimable')).toBeLessThanOrEqual(2);
});

test('a queue that is held gives its jobs when that ends', async ({ opened }) => {
  const { queue, done } = opened;
  await queue.setGlobalRateLimit(1_000, 1_000);
  await queue.rateLimit(50);
  await queue.add('job', { place: 0 });
  await expect.poll(() => done, eventually).toEqual([0]);
});
