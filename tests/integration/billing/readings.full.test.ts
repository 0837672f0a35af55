import { expect } from 'vitest';
import { faultKinds } from '#tests/support/faults.ts';
import { expectOneMail, test } from './readings-steps.ts';

test.for(faultKinds)(
  '"%s" at any step of a reading loses no mail and sends none twice',
  async (kind, { stack, crashableDb }) => {
    let at = 0;
    while (await expectOneMail(stack, crashableDb, { kind, at })) {
      at += 1;
      expect(at, 'a reading has fewer steps').toBeLessThan(20);
    }
    expect(at).toBeGreaterThan(1);
  },
);
