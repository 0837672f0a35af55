/** Positions in the queue: correct for any queue, and cheap for any number of clients that poll. */
import { expect, vi } from 'vitest';
import { type GenerationList, paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

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
  await stack.models.generations.deleteMany({});
});

test('20 concurrent lists cost a few reads of the queue', async ({ stack }) => {
  const seller = await stack.seller();
  await fill(
    stack,
    seller.id,
    Array.from({ length: 400 }, () => 10_000),
  );
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
    }
    const statements = [counted, found, aggregated].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    // One for each list and a few for the order of the queue, not one for each row.
    expect(statements).toBeLessThan(60);
  } finally {
    vi.restoreAllMocks();
  }
});
