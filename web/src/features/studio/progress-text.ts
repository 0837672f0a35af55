import type { GenerationView, Progress } from '#contract';

/**
 * The status of a pending generation. There is no percentage because the image service does not report one.
 * @returns a sentence without a full stop
 */
export function progressText({ state, position, progress }: GenerationView): string {
  if (state === 'queued') {
    if (progress !== null) return waitingText(progress.waitingFor, progress.attempt);
    return position === null ? 'Waiting in the queue' : `Number ${position} in the queue`;
  }
  if (progress === null) return 'Starting';
  const { stage, waitingFor, previews, previewsExpected, attempt } = progress;
  const suffix = attempt > 1 ? ` (attempt ${attempt})` : '';
  switch (stage) {
    case 'sending':
      return `Sending your photos to the image service${suffix}`;
    case 'drawing':
      if (previews === 0 || previewsExpected === 0) return `Creating your image${suffix}`;
      return `Creating your image: preview ${previews} of ${previewsExpected}${suffix}`;
    case 'waiting':
      return waitingText(waitingFor, attempt);
  }
}

function waitingText(waitingFor: Progress['waitingFor'], attempt: number): string {
  switch (waitingFor) {
    case 'provider':
      return 'The image provider is busy; your image is still in line';
    case 'worker':
      return 'Your image is still in line';
    case 'storage':
      return 'Your image is done. Saving it is taking longer than usual';
    default:
      return `Attempt ${attempt} failed. Retrying soon`;
  }
}

/** The steps of a generation, in order. */
export const steps = ['Queue', 'Sending', 'Creating'] as const;

/** The index of the current step. */
export function currentStep({ state, progress }: GenerationView): number {
  if (state === 'queued') return 0;
  if (progress?.waitingFor === 'provider') return 0;
  if (progress?.waitingFor === 'storage') return 2;
  const stage = progress?.stage ?? 'sending';
  return { sending: 1, waiting: 1, drawing: 2 }[stage];
}
