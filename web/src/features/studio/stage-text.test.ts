import { expect, it } from 'vitest';
import type { GenerationView } from '#contract';
import { sampleGeneration } from '#tests/support/samples.ts';
import { type StageState, stageAnnouncement, stageHeading } from './stage-text.ts';

const creating = 'Creating your product visualization...';
const failure = { code: 'GENERATION_FAILED', message: 'Failed to generate image.', requestId: null } as const;
const ended = (details: Partial<GenerationView>): StageState => ({
  hasPhoto: true,
  uploadProgress: null,
  view: sampleGeneration(details),
});

it.each<[StageState, heading: string, announcement: string]>([
  [{ hasPhoto: false, uploadProgress: null, view: null }, 'Your product image', ''],
  [{ hasPhoto: true, uploadProgress: null, view: null }, 'Ready when you are', ''],
  [{ hasPhoto: true, uploadProgress: null, view: undefined }, 'Loading…', ''],
  [{ hasPhoto: true, uploadProgress: 0.5, view: null }, creating, 'Uploading your photos'],
  [{ hasPhoto: true, uploadProgress: 1, view: undefined }, creating, 'Checking your photos'],
  [ended({ state: 'queued', position: 3 }), creating, 'Number 3 in the queue'],
  [ended({ state: 'succeeded', productName: 'Cup' }), 'Cup', 'Your product image is ready.'],
  [ended({ state: 'succeeded' }), 'Your product image', 'Your product image is ready.'],
  [
    ended({ state: 'failed', failure }),
    "We couldn't create this image",
    'Failed to generate image. No image was used.',
  ],
  [ended({ state: 'cancelled' }), 'Cancelled', 'Cancelled. No image was used.'],
  [ended({ state: 'cancelled', imageUsed: true }), 'Stopped', 'Stopped. 1 image was used.'],
])('heading and announcement fit what is shown (%#)', (state, heading, announcement) => {
  expect(stageHeading(state)).toBe(heading);
  expect(stageAnnouncement(state)).toBe(announcement);
});
