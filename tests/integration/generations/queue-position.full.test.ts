/** When processes read a long queue again. */
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { longestUse } from '#shared/data/generations/queue-position.ts';
import { eventually } from '#tests/support/harness.ts';
import { fill, newProcess, testQueuePosition, turns } from './queue-position-steps.ts';

const test = testQueuePosition();

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
