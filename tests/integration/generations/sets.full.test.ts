/** Several takes in one request that is repeated or interrupted. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { balanceOf, idsOf, rowsOf, testSets, unqueueOthers } from './sets-steps.ts';

const test = testSets();

test('repeated and concurrent requests under one key get the same set', async ({ stack, seller }) => {
  const idempotencyKey = randomUUID();
  const sets = await Promise.all(
    Array.from({ length: 6 }, () => seller.submitSet(3, { idempotencyKey }).then(idsOf)),
  );
  sets.push(idsOf(await seller.submitSet(3, { idempotencyKey })));
  expect(new Set(sets.map((ids) => ids.join())).size).toBe(1);
  expect(await rowsOf(stack, seller)).toHaveLength(3);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 97, generationsHeld: 3 });
  const answer = await seller.send({ idempotencyKey, fields: [['numImages', '2']] });
  expectError(answer, 'IDEMPOTENCY_MISMATCH');
});

test('a crash after the first take was accepted: the repeated request enqueues the others', async ({
  stack,
  seller,
}) => {
  const idempotencyKey = randomUUID();
  const views = await seller.submitSet(3, { idempotencyKey });
  const before = await rowsOf(stack, seller);
  await unqueueOthers(stack, views[0]!.id);
  expect(idsOf(await seller.generations())).toEqual([views[0]!.id]);
  const again = await Promise.all([1, 2].map(() => seller.submitSet(3, { idempotencyKey })));
  for (const set of again) expect(idsOf(set)).toEqual(idsOf(views));
  const after = await rowsOf(stack, seller);
  const stored = ({ state, photos, priority }: (typeof after)[number]) => ({ state, photos, priority });
  expect(after.map(stored)).toEqual(before.map(stored));
});

test('a set that was never accepted is removed whole: rows, holds and photos', async ({ stack, seller }) => {
  const views = await seller.submitSet(3);
  await unqueueOthers(stack, views[0]!.id);
  await stack.models.generations.updateOne({ _id: views[0]!.id }, { $set: { state: 'receiving' } });
  expect(await runUpkeep(workerContext(stack), atOnce)).toMatchObject({
    takesEnqueued: 0,
    requestsDropped: 3,
  });
  await expectNothingLeft(stack, seller.id);
});
