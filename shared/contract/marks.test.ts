import { expect, test } from 'vitest';
import { changeRequestSchema } from './change-request.ts';
import { limits } from './limits.ts';
import { marksSchema, pointsOf } from './marks.ts';

const stroke = (count: number) => ({
  kind: 'stroke' as const,
  width: 12.5,
  points: Array.from({ length: count }, (_, x) => ({ x, y: -0.5 })),
});
const rectangle = { kind: 'rectangle' as const, left: 0, top: 0, width: 4, height: 4 };

test('marks have together at most so many points', () => {
  const most = [stroke(limits.markPoints - 1), rectangle];
  expect(marksSchema.parse(most)).toEqual(most);
  expect(pointsOf(most)).toBe(limits.markPoints);
  const { error } = changeRequestSchema.safeParse({ instruction: 'Blue', marks: [...most, rectangle] });
  expect(error?.issues).toMatchObject([
    { path: ['marks'], message: 'Please mark the area with at most 3,000 points.' },
  ]);
});

test.for<[string, unknown]>([
  ['no mark', []],
  ['no list', 'all'],
  ['nothing', [null]],
  ['no point', [stroke(0)]],
  ['an unknown kind', [{ ...rectangle, kind: 'circle' }]],
  ['an unknown field', [{ ...rectangle, colour: 'red' }]],
  ['no width', [{ ...rectangle, width: 0 }]],
  ['a brush wider than an image', [{ ...stroke(1), width: limits.imageSide + 1 }]],
  ['a place that is no number', [{ ...rectangle, left: Number.NaN }]],
  ['a place at infinity', [{ ...rectangle, left: Number.POSITIVE_INFINITY }]],
  ['a place far away', [{ ...rectangle, top: limits.markCoordinate + 1 }]],
])('%s is refused', ([, marks]) => {
  expect(marksSchema.safeParse(marks).success).toBe(false);
});

test('an area is marked or given as a mask, not both', () => {
  const request = { instruction: 'Blue', marks: [rectangle], mask: 'AAAA' };
  expect(changeRequestSchema.safeParse(request).error?.issues).toMatchObject([{ path: ['mask'] }]);
  for (const part of [{ marks: [rectangle] }, { mask: 'AAAA' }, {}])
    expect(changeRequestSchema.safeParse({ instruction: 'Blue', ...part }).success).toBe(true);
});
