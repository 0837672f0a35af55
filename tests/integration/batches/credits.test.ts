/** A batch with crashes between any two database operations keeps the balance exact: `credits.full.test.ts` has long sequences. */
import { expectExactBalances, test } from './credits-sequences.ts';

test('a batch to its end and its retry, and short sequences of concurrent operations and crashes, leave exact balances', async ({
  stack,
  crashableDb,
}) => void (await expectExactBalances(stack, crashableDb, { sequences: 3, steps: 12 })));
