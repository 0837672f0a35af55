/** A literal is written out: a spread of one, such as `...{ a, b },`, only packs several properties into a line. */
import { expect, test } from 'vitest';
import { readInCheckout, trackedFiles } from '#tests/support/checkout.ts';

const packed = /^\s*\.\.\.(?:\{ [^{}]*\}|\[[^[\]]*\]),$/m;

test('a packed line is found', () => {
  expect(packed.test('const a = {\n  ...{ b: 1, c: 2 },\n};')).toBe(true);
  expect(packed.test("const a = [\n  ...['b', 'c'],\n];")).toBe(true);
  expect(packed.test('const a = {\n  ...(b && { c }),\n  ...{ d }.e,\n};')).toBe(false);
});

test('no literal is spread to pack a line', () => {
  const sources = trackedFiles().filter((file) => /\.tsx?$/.test(file));
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sources.filter((file) => packed.test(readInCheckout(file)))).toEqual([]);
});
