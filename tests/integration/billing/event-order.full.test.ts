import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { limitMs } from '#tests/support/machine.ts';
import { expectOneOutcome, sequence, test } from './event-order-steps.ts';

const seed = randomInt(2 ** 31);
console.log(`event-order.full.test.ts: seed ${seed}`);

test('events in any order, repeated, concurrent or delayed, with crashes between any two steps, have one outcome', {
  timeout: limitMs(300_000),
}, async ({ stack, crashableDb }) => {
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      await expectOneOutcome(stack, crashableDb, steps);
    }),
    { seed, numRuns: 6, endOnFailure: true },
  );
});
