import type { Progress } from '#contract';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/**
 * How far a generation is.
 * @param isHeldUp whether the image provider accepts no calls, which holds up what is queued
 * @returns null unless it is running or held up
 */
export function presentProgress(
  { state, progress, calls }: ShownGeneration,
  isHeldUp: boolean,
): Progress | null {
  const attempt = Math.max(1, calls.started);
  if (state === 'queued' && isHeldUp) {
    return { stage: 'waiting', waitingFor: 'provider', previews: 0, previewsExpected: 0, attempt };
  }
  if (state !== 'running' || !progress) return null;
  return {
    stage: progress.stage,
    waitingFor: progress.waiting_for ?? null,
    previews: progress.previews,
    previewsExpected: progress.previews_expected,
    attempt,
  };
}
