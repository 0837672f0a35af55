import { expect, test } from 'vitest';
import { noDailyImages, readDailyImages } from './daily-images.ts';

test('a number is for everybody', () => {
  expect(readDailyImages('40')).toEqual({ free: 40, freelance: 40, enterprise: 40 });
});

test('a plan that is not named has no limit', () => {
  expect(readDailyImages('free:5, enterprise:500')).toEqual({ free: 5, freelance: null, enterprise: 500 });
  expect(noDailyImages).toEqual({ free: null, freelance: null, enterprise: null });
});

test.for([
  '0',
  '-1',
  '1.5',
  '',
  'gold:4',
  'free',
  'free:',
  'free:0',
  'free:5:6',
  'free:5,free:6',
  'free:5,',
  '1e3',
])('%j is refused', (text) => {
  expect(readDailyImages(text)).toBeUndefined();
});
