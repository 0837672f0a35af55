import { type GenerationView, hasEnded } from '#contract';
import { progressText } from './progress-text.ts';

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
