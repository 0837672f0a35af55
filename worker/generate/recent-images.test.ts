import { expect, test } from 'vitest';
import { countRecentImages } from './recent-images.ts';

test('images of the last hour are counted, and what those that were made took together', () => {
  let now = 0;
  const recent = countRecentImages(() => now);
  expect(recent.figures()).toEqual({ made: 0, failed: 0, ms: 0 });
  recent.add('made', 30_000);
  now = 1_800_000;
  recent.add('made', 10_000.4);
  recent.add('failed', 5_000);
  expect(recent.figures()).toEqual({ made: 2, failed: 1, ms: 40_000 });
  now = 3_600_000;
  expect(recent.figures()).toEqual({ made: 1, failed: 1, ms: 10_000 });
});
