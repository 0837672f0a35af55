import { expect, it } from 'vitest';
import { focusAfterKey } from './grid-keys.ts';

const shape = { columns: 4, rowsInView: 2, count: 18 };
const move = (shortcut: string, index: number) => focusAfterKey(shortcut, index, shape);

it('moves by one, by a row and by what is in view', () => {
  expect(move('ArrowRight', 3)).toBe(4);
  expect(move('ArrowLeft', 4)).toBe(3);
  expect(move('ArrowDown', 5)).toBe(9);
  expect(move('ArrowUp', 5)).toBe(1);
  expect(move('PageDown', 1)).toBe(9);
  expect(move('PageUp', 10)).toBe(2);
});

it('stays in the grid', () => {
  expect(move('ArrowLeft', 0)).toBe(0);
  expect(move('ArrowUp', 2)).toBe(2);
  expect(move('PageUp', 6)).toBe(2);
  expect(move('ArrowDown', 15)).toBe(17);
  expect(move('ArrowRight', 17)).toBe(17);
});

it('goes to the ends of a row, or of everything', () => {
  expect(move('Home', 6)).toBe(4);
  expect(move('End', 4)).toBe(7);
  expect(move('End', 16)).toBe(17);
  expect(move('Mod+Home', 6)).toBe(0);
  expect(move('Mod+Shift+End', 6)).toBe(17);
});

it('leaves other keys alone', () => {
  expect(move('a', 0)).toBeUndefined();
  expect(move('Alt+ArrowLeft', 6)).toBeUndefined();
  expect(move('Mod+ArrowUp', 6)).toBeUndefined();
});
