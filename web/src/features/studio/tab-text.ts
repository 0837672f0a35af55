import type { GenerationView } from '#contract';
import { progressText } from './progress-text.ts';
import { uploadText } from './stage-text.ts';

/** What the tab's title says while an image is being made. */
export interface TabState {
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The newest generation that has not ended. */
  pending: GenerationView | undefined;
  /** How a generation ended while nobody was looking at the tab. */
  unseenEnd: 'succeeded' | 'failed' | null;
}

/** The tab's title; null for the page's own. The most important part comes first: tabs are narrow. */
export function tabText({ uploadProgress, pending, unseenEnd }: TabState): string | null {
  if (unseenEnd !== null) return unseenEnd === 'succeeded' ? '✓ Ready' : 'Failed';
  if (uploadProgress !== null) {
    return uploadProgress < 1 ? `${Math.floor(uploadProgress * 100)}% · Uploading…` : `${uploadText(1)}…`;
  }
  if (pending === undefined) return null;
  const { state, progress } = pending;
  if (state === 'queued') return progressText(pending);
  if (progress?.stage === 'waiting') return 'Waiting…';
  const previews = progress?.previews ?? 0;
  const expected = progress?.previewsExpected ?? 0;
  if (previews === 0 || expected === 0) return 'Creating…';
  // The image comes after the last preview.
  return `${Math.round((Math.min(previews, expected) / (expected + 1)) * 100)}% · Creating…`;
}
