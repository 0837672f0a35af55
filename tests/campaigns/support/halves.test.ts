import { expect, test } from 'vitest';
import { halfOf } from './halves.ts';

const names = ['mug-0', 'mug-1', 'dog-00', 'dog-01', 'dog-02', 'hat-0', 'lamp-0', 'lamp-1', 'vase'];

test('each product is in one half with all its views, and a seed gives the same halves again', () => {
  const [development, report] = [halfOf(names, 'development', 39), halfOf(names, 'report', 39)];
  expect([...development, ...report].toSorted()).toEqual(halfOf(names, 'all', 39));
  const products = (half: string[]) => new Set(half.map((name) => name.split('-')[0]!));
  expect([products(development).size, products(report).size]).toEqual([3, 2]);
  expect([...products(development)].filter((product) => products(report).has(product))).toEqual([]);
  expect(halfOf(names.toReversed(), 'report', 39)).toEqual(report);
  const others = [1, 2, 3, 4].map((seed) => halfOf(names, 'report', seed).join());
  expect(new Set(others).size).toBeGreaterThan(1);
});
