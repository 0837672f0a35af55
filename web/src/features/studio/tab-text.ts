import { type GenerationView, hasEnded } from '#contract';
import type { RequestEnd } from '#web/lib/request-end.ts';
import { progressText, uploadText } from './progress-text.ts';

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
