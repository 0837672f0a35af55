import type { RecentImages } from '#shared/data/queue/worker-slots.ts';

/** For how long an image counts, in ms. */
const countedMs = 3_600_000;

/** What came of the images of this worker in the last hour, for operators. */
export interface RecentImagesCount {
  /** @param ms how long the attempt that ended it took */
  add(outcome: 'made' | 'failed', ms: number): void;
  figures(): RecentImages;
}

export function countRecentImages(now = Date.now): RecentImagesCount {
  let ended: { at: number; outcome: 'made' | 'failed'; ms: number }[] = [];
  return {
    add(outcome, ms) {
      ended.push({ at: now(), outcome, ms });
    },
    figures() {
      const since = now() - countedMs;
      ended = ended.filter(({ at }) => at > since);
      const made = ended.filter(({ outcome }) => outcome === 'made');
      return {
        made: made.length,
        failed: ended.length - made.length,
        ms: Math.round(made.reduce((sum, { ms }) => sum + ms, 0)),
      };
    },
  };
}
