import { expect, test } from 'vitest';
import { timeLeftText } from './time-left.tsx';

test.each([
  [20, 35, 'About 20 to 35 s left'],
  [22.4, 31.2, 'About 20 to 35 s left'],
  [27, 28, 'About 25 to 30 s left'],
  [60, 140, 'About 60 s to 3 min left'],
  [95, 260, 'About 1 to 5 min left'],
  [125, 130, 'About 2 to 3 min left'],
  [180, 180, 'About 3 min left'],
  [7_200, 7_200, 'About 120 min left'],
  [47_000, 47_400, 'About 13 to 14 h left'],
  // The earlier end is near: only the later one still says something.
  [4, 17, 'Less than 20 s left'],
  [-20, 3, 'Less than 5 s left'],
  [-20, 150, 'Less than 3 min left'],
  [-20, 0, 'Taking longer than usual'],
  [-90, -40, 'Taking longer than usual'],
])('in %d to %d s: %s', (from, to, text) => {
  const now = 1_790_000_000_000;
  const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  expect(timeLeftText({ from: at(from), to: at(to) }, now)).toBe(text);
});
