/** Any interleaving of what happens to credits, with crashes between any two database operations, keeps the balances exact. */
import { expectExactBalances, test } from './credits-sequences.ts';

test('any sequence of concurrent operations and crashes leaves exact balances', ({ stack, crashableDb }) =>
  expectExactBalances(stack, crashableDb, { sequences: 20, steps: 32 }));
