import { defineProject } from 'vitest/config';
import { limitMs } from './tests/harness.ts';

/** Tests of the stand-ins: unit tests beside their files, and in `tests/` each server through its official client. */
export default defineProject({
  test: {
    name: 'stand-ins',
    include: ['**/*.test.ts'],
    testTimeout: limitMs(60_000),
    hookTimeout: limitMs(60_000),
    expect: { poll: { timeout: limitMs(15_000) } },
  },
});
