/** Positions in the queue: correct for any queue, and cheap for any number of clients that poll. */
import { expect, vi } from 'vitest';
import { type GenerationList, paths } from '#contract';
import { connectDb } from '#shared/data/connect.ts';
import { newId } from '#shared/data/db.ts';
import { longestUse, queuePosition } from '#shared/data/generations/queue-position.ts';
import { modelsOf } from '#shared/data/models.ts';
import { bucketOf } from '#shared/generations/time-left.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });
test.afterEach(async ({ stack }) => {
  await Promise.all([stack.models.generations.deleteMany(), stack.models.queueOrders.deleteMany()]);
});

/** A server or worker that knows nothing yet: a connection of its own, and how often it read the whole queue. */
async function newProcess(stack: TestStack) {
  const db = await connectDb(stack.config.mongodbUrl);
  const reads = vi.spyOn(modelsOf(db).generations.collection, 'find');
  return { db, positionOf: (row: Placed) => queuePosition(db, row), reads: () => reads.mock.calls.length };
}

type Placed = Parameters<typeof queuePosition>[1];

/** Inserts queued generations. @returns them in the order of their creation */
async function fill(stack: TestStack, sellerId: string, priorities: readonly number[]) {
  const startedAt = Date.now() - priorities.length;
  const rows = priorities.map((priority, index) => {
    const id = newId();
    const at = new Date(startedAt + index);
    return {
      _id: id,
      profile: sellerId,
      priority,
      created_at: at,
      queued_at: at,
      state: 'queued' as const,
    };
  });
  await stack.models.generations.insertMany(
    rows.map((row) => ({
      ...row,
      idempotency_key: row._id,
      fingerprint: row._id,
      prompt: 'On a wooden table',
      count: 1,
    })),
  );
  return rows;
}

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
    ...{ _id: 'measured', model, size: '1024x1024', quality: 'high', hour: new Date() },
    counts: { [bucketOf(30_000)]: 9 },
  });
  await stack.models.workerSlots.create({ _id: 'worker', slots: 4, until: new Date(Date.now() + 600_000) });
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

/** Priorities of a queue in which so many wait; each turn has ten. */
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => 600_000 + Math.floor(index / 10));

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

test('when a long order is out of date, one process reads it again and the others follow', async ({
  stack,
}) => {
  const rows = await fill(stack, newId(), turns(2_500));
  const last = rows.at(-1)!;
  const before = await newProcess(stack);
  expect(await before.positionOf(last)).toBe(2_500);
  await stack.models.generations.deleteMany({ _id: { $in: rows.slice(0, 1_000).map(({ _id }) => _id) } });
  const outOfDate = new Date(Date.now() - 20_000);
  await stack.models.queueOrders.updateOne({ _id: 'all' }, { $set: { read_at: outOfDate } });

  const processes = await Promise.all(Array.from({ length: 4 }, () => newProcess(stack)));
  const reads = () => processes.reduce((sum, each) => sum + each.reads(), 0);
  // No request waits for a reading. Of two entries one is stored.
  expect(await Promise.all(processes.map((each) => each.positionOf(last)))).toEqual(Array(4).fill(2_499));
  expect(reads()).toBe(0);
  const beganAt = Date.now();
  await expect
    .poll(() => Promise.all(processes.map((each) => each.positionOf(last))), eventually)
    .toEqual(Array(4).fill(1_500));
  // Once more whenever the machine is so slow that the order is out of date again.
  const uses = Math.ceil((Date.now() - beganAt) / longestUse(1_500));
  expect(reads()).toBeLessThanOrEqual(1 + uses);
  for (const { db } of [before, ...processes]) await db.close();
});

test('an order that is too old is not used', async ({ stack }) => {
  const rows = await fill(stack, newId(), turns(1_200));
  const last = rows.at(-1)!;
  const before = await newProcess(stack);
  expect(await before.positionOf(last)).toBe(1_200);
  await stack.models.generations.deleteMany({ _id: { $in: rows.slice(0, 900).map(({ _id }) => _id) } });
  const tooOld = new Date(Date.now() - 61_000);
  await stack.models.queueOrders.updateOne({ _id: 'all' }, { $set: { read_at: tooOld } });
  const after = await newProcess(stack);
  expect(await after.positionOf(last)).toBe(300);
  for (const { db } of [before, after]) await db.close();
});

test('when a long queue has become short, all processes notice', async ({ stack }) => {
  const rows = await fill(stack, newId(), turns(1_200));
  const last = rows.at(-1)!;
  const processes = await Promise.all(Array.from({ length: 3 }, () => newProcess(stack)));
  const positions = () => Promise.all(processes.map((each) => each.positionOf(last)));
  expect(await positions()).toEqual([1_200, 1_200, 1_200]);
  await stack.models.generations.deleteMany({ _id: { $in: rows.slice(0, 900).map(({ _id }) => _id) } });
  await expect.poll(positions, eventually).toEqual([300, 300, 300]);
  expect((await stack.models.queueOrders.findById('all').lean())!.entries).toBe(300);
  for (const { db } of processes) await db.close();
});
