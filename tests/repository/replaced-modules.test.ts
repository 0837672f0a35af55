/** Test files of a process share loaded modules, so that only those of the project `isolated` (vitest.config.ts) may replace one. */
import { expect, test } from 'vitest';
import { readInCheckout, trackedFiles } from '#tests/support/checkout.ts';

test('only isolated tests replace modules', () => {
  const replacing = trackedFiles()
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => /^vi\.mock\(/m.test(readInCheckout(path)));
  expect(replacing).not.toEqual([]);
  expect(replacing.filter((path) => !path.startsWith('tests/integration/isolated/'))).toEqual([]);
});
