import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { currentTrace, inTrace, inTraceOf, newTrace, parseTraceparent, traceToStore } from './trace.ts';

const id = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

test.for([
  [`00-${id}-${parent}-01`, { id, parent }],
  [`00-${id}-${parent}-00`, { id, parent }],
  [`01-${id}-${parent}-01-later`, { id, parent }],
  [`00-${id}-${parent}-01-later`, null],
  [`ff-${id}-${parent}-01`, null],
  [`00-${'0'.repeat(32)}-${parent}-01`, null],
  [`00-${id}-${'0'.repeat(16)}-01`, null],
  [`00-${id.toUpperCase()}-${parent}-01`, null],
  [`00-${id}-${parent}`, null],
  ['', null],
  [undefined, null],
  [[`00-${id}-${parent}-01`], null],
] as const)('traceparent %j', ([header, expected]) => expect(parseTraceparent(header)).toEqual(expected));

test('a trace reaches what its function starts, and nothing else', async () => {
  const trace = newTrace();
  expect(trace.id).toMatch(/^[0-9a-f]{32}$/);
  const inner = inTrace(trace, async () => {
    await nextTurn();
    return [currentTrace(), traceToStore()];
  });
  expect(currentTrace()).toBeUndefined();
  expect(await inner).toEqual([trace, trace]);
});

test('a document without a trace gets one of its own', () => {
  expect(inTraceOf({ trace: { id, parent } }, currentTrace)).toEqual({ id, parent });
  const [one, other] = [inTraceOf({}, currentTrace), inTraceOf({}, currentTrace)];
  expect(one!.id).not.toBe(other!.id);
});
