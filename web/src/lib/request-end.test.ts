import { expect, it } from 'vitest';
import type { GenerationView } from '#contract';
import { type RequestEnd, requestEnd } from './request-end.ts';

it.for<[GenerationView['state'][], RequestEnd | null]>([
  [['succeeded'], 'succeeded'],
  [['failed'], 'failed'],
  [['cancelled'], null],
  [['running'], null],
  [['succeeded', 'succeeded', 'running'], null],
  [['failed', 'queued'], null],
  [['failed', 'succeeded', 'cancelled'], 'succeeded'],
  [['cancelled', 'failed'], 'failed'],
  [['cancelled', 'cancelled'], null],
])('%j ended as %s', ([states, end]) => {
  expect(requestEnd(states.map((state) => ({ state })))).toBe(end);
});
