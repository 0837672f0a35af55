import { expect } from 'vitest';
import { expectOneOutcome, paidEachMonth, test } from './event-order-steps.ts';

test('events in another order, repeated, concurrent or delayed, with crashes between steps, have one outcome', async ({
  stack,
  crashableDb,
}) => {
  expect(await expectOneOutcome(stack, crashableDb, paidEachMonth)).toBe(5);
});
