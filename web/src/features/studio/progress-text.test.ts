import { expect, it } from 'vitest';
import type { GenerationView, Progress } from '#contract';
import { currentStep, progressText } from './progress-text.ts';

const queued = { state: 'queued', position: 3, progress: null } as GenerationView;
const running = (progress: Progress | null) =>
  ({ state: 'running', position: null, progress }) as GenerationView;

it.each([
  [queued, 'Number 3 in the queue', 0],
  [{ ...queued, position: null }, 'Waiting in the queue', 0],
  [
    {
      ...queued,
      progress: { stage: 'waiting', waitingFor: 'provider', previews: 0, previewsExpected: 0, attempt: 1 },
    } as GenerationView,
    'The image provider is busy; your image is still in line',
    0,
  ],
  [running(null), 'Starting', 1],
  [
    running({ stage: 'sending', waitingFor: null, previews: 0, previewsExpected: 2, attempt: 1 }),
    'Sending your photos to the image service',
    1,
  ],
  [
    running({ stage: 'drawing', waitingFor: null, previews: 0, previewsExpected: 2, attempt: 1 }),
    'Creating your image',
    2,
  ],
  [
    running({ stage: 'drawing', waitingFor: null, previews: 1, previewsExpected: 2, attempt: 2 }),
    'Creating your image: preview 1 of 2 (attempt 2)',
    2,
  ],
  [
    running({ stage: 'waiting', waitingFor: 'retry', previews: 0, previewsExpected: 0, attempt: 1 }),
    'Attempt 1 failed. Retrying soon',
    1,
  ],
  [
    running({ stage: 'waiting', waitingFor: 'provider', previews: 0, previewsExpected: 0, attempt: 1 }),
    'The image provider is busy; your image is still in line',
    0,
  ],
  [
    running({ stage: 'waiting', waitingFor: 'worker', previews: 0, previewsExpected: 0, attempt: 1 }),
    'Your image is still in line',
    1,
  ],
  [
    running({ stage: 'waiting', waitingFor: 'storage', previews: 0, previewsExpected: 0, attempt: 1 }),
    'Your image is done. Saving it is taking longer than usual',
    2,
  ],
])('describes the status of a generation (%#)', (view, text, step) => {
  expect(progressText(view)).toBe(text);
  expect(currentStep(view)).toBe(step);
});
