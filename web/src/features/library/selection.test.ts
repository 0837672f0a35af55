import { expect, it } from 'vitest';
import { beginRange, extendRange, markAll, noSelection, toggleMark } from './selection.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];

it('marks and unmarks one image', () => {
  const one = toggleMark(noSelection, 'b');
  expect([...one.marked]).toEqual(['b']);
  expect([...toggleMark(one, 'b').marked]).toEqual([]);
});

it('extends and shrinks a range in both directions, and keeps what was marked before', () => {
  const before = beginRange(toggleMark(noSelection, 'e'), 'b');
  const further = extendRange(before, ids, 'b', 'd');
  expect([...further.marked].toSorted()).toEqual(['b', 'c', 'd', 'e']);
  expect([...extendRange(further, ids, 'd', 'a').marked].toSorted()).toEqual(['a', 'b', 'e']);
});

it('begins a range at the focus when there is none, or when its beginning is gone', () => {
  expect([...extendRange(noSelection, ids, 'c', 'd').marked]).toEqual(['c', 'd']);
  const gone = extendRange(beginRange(noSelection, 'x'), ids, 'c', 'd');
  expect([...gone.marked]).toEqual(['c', 'd']);
});

it('marks all', () => {
  expect([...markAll(noSelection, ids).marked]).toEqual(ids);
});
