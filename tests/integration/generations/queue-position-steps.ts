/** Queues of any length, and processes that read them. */
import { vi } from 'vitest';
import { modelsOf } from '#shared/data/collections.ts';
import { connectDb } from '#shared/data/connect.ts';
import { newId } from '#shared/data/db.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import { rowDefaults } from '#tests/support/sample-rows.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

/** `test` with an empty queue, which no worker reads, for each test. */
export function testQueuePosition() {
  const test = testWithStack({ workers: 0 });
  test.afterEach(async ({ stack }) => {
    await Promise.all([stack.models.generations.deleteMany(), stack.models.queueOrders.deleteMany()]);
  });
  return test;
}

/** A server or worker that knows nothing yet: a connection of its own, and how often it read the whole queue. */
export async function newProcess(stack: TestStack) {
  const db = await connectDb(stack.config.mongodbUrl);
  const reads = vi.spyOn(modelsOf(db).generations.collection, 'find');
  return { db, positionOf: (row: Placed) => queuePosition(db, row), reads: () => reads.mock.calls.length };
}

type Placed = Parameters<typeof queuePosition>[1];

/** Inserts queued generations. @returns them in the order of their creation */
export async function fill(stack: TestStack, sellerId: string, priorities: readonly number[]) {
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
  await stack.models.generations.insertMany(rows.map((row) => ({ ...rowDefaults(row._id), ...row })));
  return rows;
}

/** Priorities of a queue in which so many wait; each turn has ten. */
export const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => 600_000 + Math.floor(index / 10));
