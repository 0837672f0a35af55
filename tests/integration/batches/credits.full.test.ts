/** Any interleaving of what happens to batches, with crashes between any two database operations, keeps the balance exact. */
import { expect } from 'vitest';
import { expectExactBalances, test } from './credits-sequences.ts';

test('any sequence of concurrent operations and crashes leaves exact balances', async ({
  stack,
  crashableDb,
}) => {
  const options = { sequences: 20, steps: 30 };
  const { ends, states } = await expectExactBalances(stack, crashableDb, options);
  // The sequences must reach all outcomes, or the test proves little.
  expect(Object.keys(ends).sort()).toEqual(['cancelled', 'failed', 'queued', 'succeeded']);
  expect(Object.keys(states).sort()).toEqual(['ended', 'paused', 'running', 'uploading']);
});
