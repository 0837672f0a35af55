import { expect, it } from 'vitest';
import type { GenerationView, Progress } from '#contract';
import { tabText } from './tab-text.ts';

const nothing = { uploadProgress: null, takes: [], unseenEnd: null };
const view = (state: GenerationView['state'], progress: Partial<Progress> | null = null) =>
  ({
    state,
    position: 3,
    set: { id: 'a', index: 0, size: 1 },
    progress: progress && {
      stage: 'drawing',
      waitingFor: null,
      previews: 0,
      previewsExpected: 3,
      attempt: 1,
      ...progress,
    },
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
