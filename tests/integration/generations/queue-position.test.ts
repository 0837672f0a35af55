/** Positions in the queue: correct for any queue, and cheap for any number of clients that poll. */

import { expect, vi } from 'vitest';
import { type GenerationList, paths } from '#contract';
import { modelsOf } from '#shared/data/collections.ts';
import { newId } from '#shared/data/db.ts';
import { queuePosition, runningNow } from '#shared/data/generations/queue-position.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { reportWorker } from '#shared/data/queue/worker-slots.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { fill, newProcess, testQueuePosition, turns } from './queue-position-steps.ts';

const test = testQueuePosition();

test('a position is one more than the number of generations with a smaller priority, or the same one and an earlier time', async ({
  stack,
}) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}`);
  let state = seed;
  const random = () => {
    state = (state * 48_271 + 1) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const rows = await fill(
    stack,
    newId(),
    Array.from({ length: 300 }, () => 1 + Math.floor(random() * 8)),
  );
  const sorted = rows.toSorted(
    (left, right) => left.priority - right.priority || left.created_at.getTime() - right.created_at.getTime(),
  );
  const positions = await Promise.all(sorted.map((row) => queuePosition(stack.db, row)));
  expect(positions).toEqual(sorted.map((_, index) => index + 1));
  expect(await queuePosition(stack.db, { ...rows[0]!, state: 'running' })).toBeNull();
  expect(await queuePosition(stack.db, { ...rows[0]!, state: 'receiving' })).toBeNull();

  await stack.models.generations.deleteMany({ _id: { $in: sorted.slice(0, 100).map(({ _id }) => _id) } });
  await expect.poll(() => queuePosition(stack.db, sorted[299]!)).toBe(200);
});

test.for([
  ['read with a short queue', 20, 0],
  ['counted beside a long one', 1_020, 1],
] as const)('how many images are made is %s', async ([, waiting, countings], { stack }) => {
  const rows = await fill(stack, newId(), turns(waiting));
  const made = { _id: { $in: rows.slice(5, 8).map(({ _id }) => _id) } };
  await stack.models.generations.updateMany(made, { $set: { state: 'running' } });
  const { db, positionOf, reads } = await newProcess(stack);
  const counted = vi.spyOn(modelsOf(db).generations, 'countDocuments');
  const [position, running] = await Promise.all([positionOf(rows.at(-1)!), runningNow(db)]);
  expect([position, running]).toEqual([waiting - 3, 3]);
  expect([reads(), counted.mock.calls.length]).toEqual([1, countings]);
  await db.close();
});

test('20 concurrent lists cost a few reads of the queue', async ({ stack }) => {
  const seller = await stack.seller();
  await fill(
    stack,
    seller.id,
    Array.from({ length: 400 }, () => 10_000),
  );
  // So that each of them has an estimate, which depends on how many images are made.
  const { model } = stack.config.image;
  await stack.models.durations.create({
    _id: 'measured',
    model,
    size: '1024x1024',
    quality: 'high',
    hour: new Date(),
    counts: { [bucketOf(30_000)]: 9 },
  });
  const now = new Date();
  const report = {
    version: '1.0.0',
    last_migration: migrations.at(-1)!.name,
    host: 'test',
    pid: 1,
    started_at: now,
    reported_at: now,
    problems: [],
  };
  await reportWorker(stack.db, 'worker', { slots: 4, running: [], report }, 600_000);
  const { collection } = stack.models.generations;
  const counted = vi.spyOn(collection, 'countDocuments');
  const found = vi.spyOn(collection, 'find');
  const aggregated = vi.spyOn(collection, 'aggregate');
  try {
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => seller.request<GenerationList>(paths.generations)),
    );
    for (const { status, body } of lists) {
      expect(status).toBe(200);
      // Newest first, so the end of the queue comes first.
      expect(body.generations.map(({ position }) => position)).toEqual(
        Array.from({ length: 24 }, (_, index) => 400 - index),
      );
      expect(body.generations.every(({ timeLeft }) => timeLeft !== null)).toBe(true);
    }
    const statements = [counted, found, aggregated].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    // Not one for each row that is listed.
    expect(statements).toBeLessThan(lists.flatMap(({ body }) => body.generations).length / 2);
  } finally {
    vi.restoreAllMocks();
  }
});

test('a long queue is read by one process; the others use a sample of what it read', async ({ stack }) => {
  const waiting = 2_500;
  // A sample has at most 2,048 of them.
  const step = 2;
  const rows = await fill(stack, newId(), turns(waiting));
  const first = await newProcess(stack);
  expect(await Promise.all(rows.map(first.positionOf))).toEqual(rows.map((_, index) => index + 1));
  expect(first.reads()).toBe(1);
  // Recent however long this takes.
  const later = new Date(Date.now() + 3_600_000);
  await stack.models.queueOrders.updateOne({ _id: 'all' }, { $set: { read_at: later } });

  const others = await Promise.all(Array.from({ length: 3 }, () => newProcess(stack)));
  for (const other of others) {
    const positions: number[] = [];
    for (let index = 0; index < waiting; index += 7) {
      const position = (await other.positionOf(rows[index]!))!;
      expect(position).toBeLessThanOrEqual(index + 1);
      expect(position).toBeGreaterThan(index + 1 - step);
      positions.push(position);
    }
    // Positions never go back along the line.
    expect(positions).toEqual(positions.toSorted((one, next) => one - next));
    expect(other.reads()).toBe(0);
  }
  expect(await stack.models.queueOrders.findById('all').lean()).toMatchObject({
    entries: waiting,
    step,
    lease_until: null,
  });
  for (const { db } of [first, ...others]) await db.close();
});
