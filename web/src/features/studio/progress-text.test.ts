import { expect, it } from 'vitest';
import type { GenerationView, Progress } from '#contract';
import { sampleGeneration } from '#tests/support/samples.ts';
import {
  currentStep,
  formatElapsed,
  headingOfSet,
  isSetPending,
  progressOfSet,
  progressText,
  type StageState,
  stageAnnouncement,
  stageHeading,
  tabText,
  takeName,
} from './progress-text.ts';

const queued = { state: 'queued', position: 3, progress: null } as GenerationView;
const progressOf = (details: Partial<Progress>): Progress => ({
  stage: 'drawing',
  waitingFor: null,
  previews: 0,
  previewsExpected: 2,
  attempt: 1,
  ...details,
});
const running = (details: Partial<Progress>) =>
  ({ state: 'running', position: null, progress: progressOf(details) }) as GenerationView;
const waiting = (waitingFor: Progress['waitingFor']) => running({ stage: 'waiting', waitingFor });

it.each([
  [queued, 'Number 3 in the queue', 0],
  [{ ...queued, position: null }, 'Waiting in the queue', 0],
  [
    { ...queued, progress: progressOf({ stage: 'waiting', waitingFor: 'provider' }) },
    'The image provider is busy; your image is still in line',
    0,
  ],
  [{ ...running({}), progress: null }, 'Starting', 1],
  [running({ stage: 'sending' }), 'Sending your photos to the image service', 1],
  [running({}), 'Creating your image', 2],
  [running({ previews: 1, attempt: 2 }), 'Creating your image: preview 1 of 2 (attempt 2)', 2],
  [waiting('retry'), 'Attempt 1 failed. Retrying soon', 1],
  [waiting('provider'), 'The image provider is busy; your image is still in line', 0],
  [waiting('worker'), 'Your image is still in line', 1],
  [waiting('storage'), 'Your image is done. Saving it is taking longer than usual', 2],
])('describes the status of a generation (%#)', (view, text, step) => {
  expect(progressText(view)).toBe(text);
  expect(currentStep(view)).toBe(step);
});

it.each([
  [-5_000, '0:00'],
  [999, '0:00'],
  [7_400, '0:07'],
  [65_000, '1:05'],
  [3_599_999, '59:59'],
  [3_723_000, '1:02:03'],
])('shows %d ms as %s', (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text);
});

const creating = 'Creating your product visualization...';
const failure = {
  code: 'GENERATION_FAILED',
  message: 'Failed to generate image.',
  help: null,
  requestId: null,
} as const;
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

const nothing = { uploadProgress: null, takes: [], unseenEnd: null };
const view = (state: GenerationView['state'], progress: Partial<Progress> | null = null) =>
  ({
    state,
    position: 3,
    set: { id: 'a', index: 0, size: 1 },
    progress: progress && progressOf({ previewsExpected: 3, ...progress }),
  }) as GenerationView;

it('leaves the page its own title while nothing is being made', () => {
  expect(tabText(nothing)).toBeNull();
});

it('says how far an upload is', () => {
  expect(tabText({ ...nothing, uploadProgress: 0.404 })).toBe('40% · Uploading…');
  expect(tabText({ ...nothing, uploadProgress: 1 })).toBe('Checking your photos…');
});

it.for<[GenerationView, string]>([
  [view('queued'), 'Number 3 in the queue'],
  [view('running'), 'Creating…'],
  [view('running', { previews: 1 }), '25% · Creating…'],
  [view('running', { previews: 3 }), '75% · Creating…'],
  [view('running', { previews: 4 }), '75% · Creating…'],
  [view('running', { stage: 'waiting', waitingFor: 'provider' }), 'Waiting…'],
])('says how far a generation is: %#', ([pending, text]) => {
  expect(tabText({ ...nothing, takes: [pending] })).toBe(text);
});

it('says that an image is ready even if another one is being made', () => {
  expect(tabText({ ...nothing, takes: [view('running')], unseenEnd: 'succeeded' })).toBe('✓ Ready');
  expect(tabText({ ...nothing, unseenEnd: 'failed' })).toBe('Failed');
});

it.for<[GenerationView[], string | null]>([
  [[view('queued'), view('queued')], 'Number 3 in the queue'],
  [[view('queued'), view('running', { previews: 2 })], '0 of 2 · Creating…'],
  [[view('succeeded'), view('queued'), view('running'), view('failed')], '1 of 4 · Creating…'],
  [[view('running', { stage: 'waiting' }), view('running')], '0 of 2 · Creating…'],
  [[view('running', { stage: 'waiting' }), view('queued')], 'Waiting…'],
  [[view('succeeded'), view('cancelled')], null],
])('says how far a set is: %#', ([takes, text]) => {
  expect(tabText({ ...nothing, takes })).toBe(text);
});
