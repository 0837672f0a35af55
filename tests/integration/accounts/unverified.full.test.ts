import { expect } from 'vitest';
import { faultKinds } from '#tests/support/faults.ts';
import { expectFinishedByNext, test } from './unverified-steps.ts';

test.for(faultKinds)(
  'a removal with the fault "%s" at any step is finished by the next one',
  async (kind, { stack, crashableDb }) => {
    let at = 0;
    while (await expectFinishedByNext(stack, crashableDb, { kind, at })) {
      at += 1;
      expect(at, 'a removal takes fewer steps than this').toBeLessThan(30);
    }
    expect(at).toBeGreaterThan(5);
  },
);
