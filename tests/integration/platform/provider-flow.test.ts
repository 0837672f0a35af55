/** The row of failed provider calls, which opens the breaker. */
import { expect } from 'vitest';
import { clearProviderFailures, countProviderFailure } from '#shared/data/queue/provider-flow.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

test('failures at the same moment all count, also those that begin the row', async ({ stack }) => {
  const { db } = stack;
  const cutoff = new Date(Date.now() - 60_000);
  const countAtOnce = (count: number, since = cutoff) =>
    Promise.all(Array.from({ length: count }, () => countProviderFailure(db, since)));
  const sorted = (counts: number[]) => counts.toSorted((one, other) => one - other);
  expect(sorted(await countAtOnce(8))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await countAtOnce(1)).toEqual([9]);
  await clearProviderFailures(db);
  expect(sorted(await countAtOnce(3))).toEqual([1, 2, 3]);
  // Those before the cutoff are of an earlier row.
  expect(await countAtOnce(1, new Date(Date.now() + 1))).toEqual([1]);
});
