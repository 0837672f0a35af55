import type { BatchImage, BatchItem } from '#contract';

/** An image of a batch with its row. */
export interface ReviewImage {
  /** Of its place in the batch, which it keeps when it is made again. */
  key: string;
  item: BatchItem;
  image: BatchImage;
}

/** What a review can be limited to, in the order in which it is offered. */
export const reviewFilters = {
  all: { label: 'All', shows: () => true },
  review: { label: 'To review', shows: ({ state, approved }) => state === 'succeeded' && !approved },
  compare: {
    label: 'Please compare',
    shows: ({ match, approved }) => (match === 'low' || match === 'unknown') && !approved,
  },
  failed: {
    label: 'Failed',
    shows: ({ state, againFailure }) => state === 'failed' || againFailure !== null,
  },
  approved: { label: 'Approved', shows: ({ approved }) => approved },
} as const satisfies Record<string, { label: string; shows: (image: BatchImage) => boolean }>;

export type ReviewFilter = keyof typeof reviewFilters;

/** The images of rows, in their order. */
export const reviewImages = (items: readonly BatchItem[]): ReviewImage[] =>
  items.flatMap((item) => item.images.map((image) => ({ key: `${item.index}-${image.take}`, item, image })));

/** How an image of a batch is called: by SKU, name or row, and by its take if there are several. */
export function reviewName({ item: { sku, name, index, images }, image }: ReviewImage): string {
  const product = sku || name || `Row ${index + 1}`;
  return images.length > 1 ? `${product}, take ${image.take + 1}` : product;
}

const stateNames: Readonly<Record<BatchImage['state'], string>> = {
  waiting: 'Waiting',
  receiving: 'Waiting',
  queued: 'In the queue',
  running: 'In progress',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  deleted: 'Deleted',
};

/** What there is to say of an image in a few words. */
export function reviewState({ state, approved, match, againFailure }: BatchImage): string {
  if (approved) return 'Approved';
  if (againFailure !== null) return 'Not made again';
  if (state !== 'succeeded' || match === null) return stateNames[state];
  return match === 'low' || match === 'unknown' ? 'Please compare' : `Match: ${match}`;
}
