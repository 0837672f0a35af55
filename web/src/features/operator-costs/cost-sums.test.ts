import { expect, test } from 'vitest';
import type { OperatorCostLine } from '#contract';
import { csvOf, groupsOf, perImage, sumsOf } from './cost-sums.ts';

const line = (changed: Partial<OperatorCostLine>): OperatorCostLine => ({
  day: '2026-11-28',
  provider: 'openai',
  model: 'gpt-image-2.5-flare',
  size: '1024x1024',
  quality: 'high',
  calls: 1,
  images: 1,
  amount: 60_001,
  estimated: 0,
  unknown: 0,
  ...changed,
});

test('groups add up, in the order of the lines', () => {
  const lines = [
    line({}),
    line({ quality: 'low', amount: 6_000 }),
    line({ day: '2026-11-27', calls: 2, images: 1, amount: 90_000, estimated: 30_000 }),
  ];
  expect(groupsOf(lines, ({ day }) => day)).toEqual([
    { name: '2026-11-28', calls: 2, images: 2, amount: 66_001, estimated: 0, unknown: 0 },
    { name: '2026-11-27', calls: 2, images: 1, amount: 90_000, estimated: 30_000, unknown: 0 },
  ]);
  expect(perImage(sumsOf(lines))).toBe(52_001);
  // Without a price, an image is not free.
  expect(perImage(sumsOf([line({ amount: 0, unknown: 1 })]))).toBeNull();
  expect(perImage(sumsOf([]))).toBeNull();
});

test('the CSV has every amount with all its decimals', () => {
  expect(csvOf([line({}), line({ model: 'a "model", new', amount: 12_000_005, estimated: 7 })])).toBe(
    [
      'day,provider,model,size,quality,calls,images,usd,usd_estimated,calls_of_unknown_cost',
      '2026-11-28,openai,gpt-image-2.5-flare,1024x1024,high,1,1,0.060001,0.000000,0',
      '2026-11-28,openai,"a ""model"", new",1024x1024,high,1,1,12.000005,0.000007,0',
      '',
    ].join('\r\n'),
  );
});
