import { expect, test } from 'vitest';
import { mayHaveUnmade } from './unmade.ts';

test('there may be images that were not made since a moment, unless the last one is older or there was none', () => {
  const [before, moment, after] = [0, 1, 2].map((time) => new Date(time)) as [Date, Date, Date];
  expect([null, before, moment, after].map((unmade_at) => mayHaveUnmade({ unmade_at }, moment))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
