import { expect } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { expectFinishedByUpkeep, test } from './deletion-steps.ts';

/**
 * The kinds of faults that a deletion can meet: it stops at its first error, so it fails either before an operation or after
 * one whose reply was lost.
 */
const deletionFaults = ['dies-before', 'answer-lost'] as const;

/** Every second step in a test of its own: all of them take minutes on a slow machine. */
const halves = deletionFaults.flatMap((kind) => [0, 1].map((first) => ({ kind, first })));

test.for(halves)(
  'a deletion with the fault "$kind" at every second step from $first on is finished by upkeep',
  async ({ kind, first }, { stack, crashableDb, queued }) => {
    let at = first;
    while (await expectFinishedByUpkeep(stack, crashableDb, queued, { kind, at })) {
      at += 2;
      expect(at, 'a deletion takes fewer steps than this').toBeLessThan(100);
    }
    expect(at).toBeGreaterThan(15);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
);
