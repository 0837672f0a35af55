import { expect } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { expectFinishedByUpkeep, test } from './deletion-steps.ts';

/**
 * The kinds of faults that a deletion can meet: it stops at its first error, so it fails either before an operation or after
 * one whose reply was lost.
 */
const deletionFaults = ['dies-before', 'answer-lost'] as const;

test.for(deletionFaults)(
  'a deletion with the fault "%s" at any step is finished by upkeep',
  async (kind, { stack, crashableDb, queued }) => {
    let at = 0;
    while (await expectFinishedByUpkeep(stack, crashableDb, queued, { kind, at })) {
      at += 1;
      expect(at, 'a deletion takes fewer steps than this').toBeLessThan(80);
    }
    expect(at).toBeGreaterThan(15);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
);
