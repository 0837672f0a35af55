import { expect } from 'vitest';
import { expectOneMail, test } from './readings-steps.ts';

// The other two kinds are in readings.test.ts.
test.for(['dies-after', 'refused'] as const)(
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
