import type { GenerationView } from '../../../../shared/contract/index.ts';

/**
 * What a pending generation is at, in words; only what is known, so there is no percentage.
 * @returns a sentence without a full stop
 */
export function progressText({ state, position, progress }: GenerationView): string {
  if (state === 'queued') {
    return position === null ? 'Waiting in the queue' : `Number ${position} in the queue`;
  }
  if (progress === null) return 'Starting';
  const { stage, previews, previewsExpected, attempt } = progress;
  const again = attempt > 1 ? ` (try ${attempt})` : '';
  switch (stage) {
    case 'sending':
      return `Sending your photos to the image service${again}`;
    case 'drawing':
      if (previews === 0 || previewsExpected === 0) return `Drawing your image${again}`;
      return `Drawing your image: preview ${previews} of ${previewsExpected}${again}`;
    case 'waiting':
      return `Try ${attempt} did not work out. Waiting for another try`;
  }
}

/** The steps that a generation goes through, in order. */
export const steps = ['Queue', 'Sending', 'Drawing'] as const;

/** Which of the steps is under way, from 0. */
export function currentStep({ state, progress }: GenerationView): number {
  if (state === 'queued') return 0;
  const stage = progress?.stage ?? 'sending';
  return { sending: 1, waiting: 1, drawing: 2 }[stage];
}
