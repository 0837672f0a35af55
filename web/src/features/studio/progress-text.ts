import type { GenerationView, Progress } from '#contract';

/**
 * What a pending generation is at, in words; only what is known, so there is no percentage.
 * @returns a sentence without a full stop
 */
export function progressText({ state, position, progress }: GenerationView): string {
  if (state === 'queued') {
    return position === null ? 'Waiting in the queue' : `Number ${position} in the queue`;
  }
  if (progress === null) return 'Starting';
  const { stage, waitingFor, previews, previewsExpected, attempt } = progress;
  const again = attempt > 1 ? ` (try ${attempt})` : '';
  switch (stage) {
    case 'sending':
      return `Sending your photos to the image service${again}`;
    case 'drawing':
      if (previews === 0 || previewsExpected === 0) return `Drawing your image${again}`;
      return `Drawing your image: preview ${previews} of ${previewsExpected}${again}`;
    case 'waiting':
      return waitingText(waitingFor, attempt);
  }
}

function waitingText(waitingFor: Progress['waitingFor'], attempt: number): string {
  switch (waitingFor) {
    case 'provider':
      return 'The image service is busy. Your image is still in line';
    case 'worker':
      return 'Your image is still in line';
    case 'storage':
      return 'Your image is made. Saving it takes longer than usual';
    default:
      return `Attempt ${attempt} failed. Retrying soon`;
  }
}

/** The steps that a generation goes through, in order. */
export const steps = ['Queue', 'Sending', 'Drawing'] as const;

/** Which of the steps is under way, from 0. */
export function currentStep({ state, progress }: GenerationView): number {
  if (state === 'queued') return 0;
  if (progress?.waitingFor === 'provider') return 0;
  if (progress?.waitingFor === 'storage') return 2;
  const stage = progress?.stage ?? 'sending';
  return { sending: 1, waiting: 1, drawing: 2 }[stage];
}
