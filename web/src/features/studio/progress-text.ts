import { type GenerationView, hasEnded, type Progress } from '#contract';
import type { RequestEnd } from '#web/lib/request-end.ts';

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

/**
 * Formats a duration: `0:07`, `12:30`, `1:02:03`.
 * @param milliseconds negative values count as 0
 */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return `${minutes}:${twoDigits(seconds % 60)}`;
}

/** The state of the main area that its texts depend on. */
export interface StageState {
  /** Whether the form has a photo. */
  hasPhoto: boolean;
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The generation to show; null for none, undefined while it is loading. */
  view: GenerationView | null | undefined;
}

/** The heading of the main area. */
export function stageHeading({ hasPhoto, uploadProgress, view }: StageState): string {
  if (uploadProgress !== null) return 'Creating your product visualization...';
  if (view === undefined) return 'Loading…';
  if (view === null) return hasPhoto ? 'Ready when you are' : 'Your product image';
  if (!hasEnded(view.state)) return 'Creating your product visualization...';
  if (view.state === 'succeeded') return view.productName || 'Your product image';
  if (view.state === 'failed') return "We couldn't create this image";
  return view.imageUsed ? 'Stopped' : 'Cancelled';
}

/** What screen readers announce as a generation proceeds. */
export function stageAnnouncement({ uploadProgress, view }: Omit<StageState, 'hasPhoto'>): string {
  if (uploadProgress !== null) return uploadText(uploadProgress);
  if (!view) return '';
  if (view.state === 'succeeded') return 'Your product image is ready.';
  if (view.state === 'failed') return `${view.failure?.message ?? ''} No image was used.`;
  if (view.state === 'cancelled') {
    return view.imageUsed ? 'Stopped. 1 image was used.' : 'Cancelled. No image was used.';
  }
  return progressText(view);
}

/** The status of an upload. @param uploadProgress 0 to 1 */
export function uploadText(uploadProgress: number): string {
  return uploadProgress < 1 ? 'Uploading your photos' : 'Checking your photos';
}

/** Whether any of a set's takes is still being made. */
export function isSetPending(takes: readonly GenerationView[]): boolean {
  return takes.some(({ state }) => !hasEnded(state));
}

/** The heading of the main area for a set. */
export function headingOfSet(takes: readonly GenerationView[]): string {
  if (isSetPending(takes)) return 'Creating your product visualizations...';
  return takes[0]?.productName || 'Your product images';
}

/**
 * How far a set is, for sellers who see it and for those who hear it. It changes only when a take ends.
 * @returns for example `2 of 4 images ready, 1 failed`
 */
export function progressOfSet(takes: readonly GenerationView[]): string {
  const count = (state: GenerationView['state']) => takes.filter((take) => take.state === state).length;
  const [failed, cancelled] = [count('failed'), count('cancelled')];
  return [
    `${count('succeeded')} of ${takes.length} images ready`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ].join(', ');
}

/** How a take of a set is named: `Image 2 of 4`. */
export function takeName({ set }: Pick<GenerationView, 'set'>): string {
  return `Image ${set.index + 1} of ${set.size}`;
}

/** What the tab's title says while an image is being made. */
interface TabState {
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The takes of the newest request that has not ended; empty for none. */
  takes: readonly GenerationView[];
  /** How a request ended while nobody was looking at the tab. */
  unseenEnd: RequestEnd | null;
}

/** The tab's title; null for the page's own. The most important part comes first: tabs are narrow. */
export function tabText({ uploadProgress, takes, unseenEnd }: TabState): string | null {
  if (unseenEnd !== null) return unseenEnd === 'succeeded' ? '✓ Ready' : 'Failed';
  if (uploadProgress !== null) {
    return uploadProgress < 1 ? `${Math.floor(uploadProgress * 100)}% · Uploading…` : `${uploadText(1)}…`;
  }
  const pending = leadingTake(takes);
  if (pending === undefined) return null;
  const { state, progress } = pending;
  if (state === 'queued') return progressText(pending);
  if (progress?.stage === 'waiting') return 'Waiting…';
  if (takes.length > 1) {
    const ready = takes.filter((take) => take.state === 'succeeded').length;
    return `${ready} of ${takes.length} · Creating…`;
  }
  const previews = progress?.previews ?? 0;
  const expected = progress?.previewsExpected ?? 0;
  if (previews === 0 || expected === 0) return 'Creating…';
  // The image comes after the last preview.
  return `${Math.round((Math.min(previews, expected) / (expected + 1)) * 100)}% · Creating…`;
}

/** The take that stands for those that have not ended: one that is being made before one that waits. */
function leadingTake(takes: readonly GenerationView[]): GenerationView | undefined {
  const pending = takes
    .filter(({ state }) => !hasEnded(state))
    .toSorted((one, other) => one.set.index - other.set.index);
  const running = pending.filter(({ state }) => state === 'running');
  return running.find(({ progress }) => progress?.stage !== 'waiting') ?? running[0] ?? pending[0];
}
