/** A batch with crashes between any two database operations keeps the balance exact: `credits.full.test.ts` has long sequences. */
import { expect } from 'vitest';
import { expectExactBalances, test } from './credits-sequences.ts';

test('a batch to its end, and short sequences of concurrent operations and crashes, leave exact balances', async ({
  stack,
  crashableDb,
}) => {
  const options = { sequences: 3, steps: 12 };
  const { states } = await expectExactBalances(stack, crashableDb, options);
  expect(states, 'no batch has ended').toMatchObject({ ended: expect.any(Number) });
});
