import { expect, it } from 'vitest';
import { focusAfterKey } from './grid-keys.ts';

const shape = { columns: 4, rowsInView: 2, count: 18 };
const move = (shortcut: string, index: number) => focusAfterKey(shortcut, index, shape);

it.each<[what: string, moves: Record<string, number>, focus: number[]]>([
  ['moves by one', { ArrowRight: 3, ArrowLeft: 4 }, [4, 3]],
  ['moves by a row', { ArrowDown: 5, ArrowUp: 5 }, [9, 1]],
  ['moves by what is in view', { PageDown: 1, PageUp: 10 }, [9, 2]],
  ['stays in the grid at its beginning', { ArrowLeft: 0, ArrowUp: 2, PageUp: 6 }, [0, 2, 2]],
  ['stays in the grid at its end', { ArrowDown: 15, ArrowRight: 17 }, [17, 17]],
  ['goes to the ends of a row', { Home: 6, End: 4 }, [4, 7]],
  ['goes to the end of the last row', { End: 16 }, [17]],
  ['goes to the ends of everything', { 'Mod+Home': 6, 'Mod+Shift+End': 6 }, [0, 17]],
])('%s', (_what, moves, focus) => {
  expect(Object.entries(moves).map(([shortcut, index]) => move(shortcut, index))).toEqual(focus);
});

it('leaves other keys alone', () => {
  for (const shortcut of ['a', 'Alt+ArrowLeft', 'Mod+ArrowUp']) expect(move(shortcut, 6)).toBeUndefined();
});
