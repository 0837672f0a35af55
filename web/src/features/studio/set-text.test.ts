import { expect, it } from 'vitest';
import type { GenerationView } from '#contract';
import { sampleGeneration } from '#tests/support/samples.ts';
import { headingOfSet, isSetPending, progressOfSet, takeName } from './set-text.ts';

const takes = (...states: GenerationView['state'][]) =>
  states.map((state, index) =>
    sampleGeneration({ state, productName: 'Cup', set: { id: 'set', index, size: states.length } }),
  );

it('says how far a set is, and changes only when a take ends', () => {
  expect(progressOfSet(takes('queued', 'running'))).toBe('0 of 2 images ready');
  expect(progressOfSet(takes('running', 'running'))).toBe('0 of 2 images ready');
  expect(progressOfSet(takes('succeeded', 'failed', 'cancelled', 'succeeded'))).toBe(
    '2 of 4 images ready, 1 failed, 1 cancelled',
  );
});

it('is pending until the last take has ended', () => {
  expect(isSetPending(takes('succeeded', 'queued'))).toBe(true);
  expect(headingOfSet(takes('succeeded', 'queued'))).toBe('Creating your product visualizations...');
  expect(isSetPending(takes('succeeded', 'failed'))).toBe(false);
  expect(headingOfSet(takes('succeeded', 'failed'))).toBe('Cup');
});

it('names takes from 1', () => {
  expect(takes('queued', 'queued').map(takeName)).toEqual(['Image 1 of 2', 'Image 2 of 2']);
});
