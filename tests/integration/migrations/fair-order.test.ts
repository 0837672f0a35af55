/** Generations that wait move into the bands of priorities of the fair order, in the order that they had. */
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { fairOrder } from '#shared/data/migrations/0014-fair-order.ts';
import { connectionOf } from '#shared/data/models.ts';
import { laneOf, turnOf } from '#shared/platform/priorities.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

test('rows of older versions keep their order and get their band; those that have ended stay', async ({
  stack,
}) => {
  const database = connectionOf(stack.db).db!;
  const generations = database.collection<{ _id: string; state: string; priority: number }>('generations');
  const before = [5, 9_999, 10_000, 12_345, 20_001, 30_000];
  const ids = before.map(() => newId());
  const ended = newId();
  await generations.insertMany([
    ...before.map((priority, index) => ({
      _id: ids[index]!,
      state: index % 2 === 0 ? 'queued' : 'running',
      priority,
      profile: 'seller',
      idempotency_key: ids[index],
    })),
    { _id: ended, state: 'succeeded', priority: 10_000, profile: 'seller', idempotency_key: ended },
  ]);
  const priorities = async () => {
    const rows = await generations.find({ _id: { $in: ids } }).toArray();
    return ids.map((id) => rows.find(({ _id }) => _id === id)!.priority);
  };
  await fairOrder.up(database);
  const after = await priorities();
  expect(after).toEqual(after.toSorted((one, other) => one - other));
  expect(after.map((priority) => [laneOf(priority), turnOf(priority)?.band])).toEqual([
    ['single', 'first'],
    ['single', 'first'],
    ['single', 'standard'],
    ['single', 'standard'],
    ['batch', 'first'],
    ['batch', 'standard'],
  ]);
  expect(await generations.findOne({ _id: ended })).toMatchObject({ priority: 10_000 });
  // A crash may repeat it.
  await fairOrder.up(database);
  expect(await priorities()).toEqual(after);
});
