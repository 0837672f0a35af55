/** Balances stay exact through every end of a generation, with crashes: `credits.full.test.ts` has long sequences. */
import { expectExactBalances, test } from './credits-sequences.ts';

test('every end of a generation, and short sequences of concurrent operations and crashes, leave exact balances', ({
  stack,
  crashableDb,
}) => expectExactBalances(stack, crashableDb, { sequences: 3, steps: 12 }));
