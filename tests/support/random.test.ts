import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

const tenOf = (random: ReturnType<typeof createRandom>) =>
  Array.from({ length: 10 }, () => random.below(1_000));

test('the same seed gives the same numbers, another seed others', () => {
  expect(tenOf(createRandom(7))).toEqual(tenOf(createRandom(7)));
  expect(tenOf(createRandom(7))).not.toEqual(tenOf(createRandom(8)));
});

test('a fork does not depend on what the others draw', () => {
  const [first, second] = [createRandom(7), createRandom(7)];
  const [a, b] = [first.fork(), second.fork()];
  first.next();
  expect(tenOf(a)).toEqual(tenOf(b));
});

test('numbers are within their bounds, and reach both', () => {
  const random = createRandom(1);
  const drawn = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
  expect([...drawn].sort()).toEqual([3, 4, 5]);
});
