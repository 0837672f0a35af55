import { defineProject } from 'vitest/config';

/** Tests of the stand-ins: unit tests beside their files, and in `tests/` each server through its official client. */
export default defineProject({
  test: {
    name: 'stand-ins',
    include: ['**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
