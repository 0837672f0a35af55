import { expect, test } from 'vitest';
import type { BatchImage, BatchItem } from '#contract';
import { type ReviewFilter, reviewFilters, reviewImages, reviewName, reviewState } from './review-images.ts';

const image = (change: Partial<BatchImage>): BatchImage => ({
  take: 0,
  generationId: 'g',
  state: 'succeeded',
  imageUrl: '/image',
  thumbnailUrl: '/thumbnail',
  failure: null,
  againFailure: null,
  match: null,
  approved: false,
  ...change,
});

const cases: readonly [image: BatchImage, state: string, filters: ReviewFilter[]][] = [
  [image({}), 'Done', ['all', 'review']],
  [image({ match: 'high' }), 'Match: high', ['all', 'review']],
  [image({ match: 'low' }), 'Please compare', ['all', 'review', 'compare']],
  [image({ match: 'unknown' }), 'Please compare', ['all', 'review', 'compare']],
  [image({ match: 'low', approved: true }), 'Approved', ['all', 'approved']],
  [image({ state: 'failed', failure: 'Too dark.' }), 'Failed', ['all', 'failed']],
  [image({ againFailure: 'It was cancelled.' }), 'Not made again', ['all', 'review', 'failed']],
  [image({ state: 'running' }), 'In progress', ['all']],
  [image({ state: 'deleted' }), 'Deleted', ['all']],
];

test.each(cases)('%j', (of, state, filters) => {
  expect(reviewState(of)).toBe(state);
  const shown = Object.entries(reviewFilters).filter(([, { shows }]) => shows(of));
  expect(shown.map(([filter]) => filter)).toEqual(filters);
});

test('images are named by SKU, product or row, and by their take where there are several', () => {
  const item: BatchItem = {
    index: 4,
    sku: 'MUG',
    name: 'Mug',
    prompt: 'On oak',
    width: 1_024,
    height: 1_024,
    photos: [],
    images: [image({}), image({ take: 1 })],
  };
  expect(reviewImages([item]).map(reviewName)).toEqual(['MUG, take 1', 'MUG, take 2']);
  expect(reviewImages([item]).map(({ key }) => key)).toEqual(['4-0', '4-1']);
  const single = { ...item, sku: '', images: [image({})] };
  expect(reviewImages([single]).map(reviewName)).toEqual(['Mug']);
  expect(reviewImages([{ ...single, name: '' }]).map(reviewName)).toEqual(['Row 5']);
});
