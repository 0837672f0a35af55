import { releaseHeader } from '#contract';

/** How long another release must have answered alone before it is said: two may run behind one proxy, in ms. */
const confirmedAfterMs = 60_000;
/** In so many replies. */
const confirmedAfterReplies = 3;
/** How long this page goes on working after that, in ms. */
const outdatedAfterMs = 86_400_000;
/** Then it asks again so long after it was told "Not now", in ms. */
const remindAfterMs = 3_600_000;

/** `updated`: the server has another release than this page. `outdated`: for a day already. */
type ReleaseStage = 'same' | 'updated' | 'outdated';

/**
 * Whether the server's release is still the one that this page is of, by the server's clock.
 * @param ownRelease undefined if it has none, as while it is developed
 */
export function createReleaseWatch(ownRelease: string | undefined) {
  /** When the first reply of another release came, after the last one of this release. */
  let since: number | null = null;
  let replies = 0;
  let latest = 0;
  let quietUntil = 0;
  let stage: ReleaseStage = 'same';
  const listeners = new Set<() => void>();
  const update = () => {
    const next = stageNow();
    if (next === stage) return;
    stage = next;
    for (const listener of listeners) listener();
  };
  function stageNow(): ReleaseStage {
    if (since === null || replies < confirmedAfterReplies || latest < quietUntil) return 'same';
    if (latest - since >= outdatedAfterMs) return 'outdated';
    return latest - since >= confirmedAfterMs ? 'updated' : 'same';
  }
  return {
    stage: () => stage,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Records a reply of the API. Without a release or a date it says nothing. */
    record(headers: Pick<Headers, 'get'>): void {
      const release = headers.get(releaseHeader);
      const time = Date.parse(headers.get('date') ?? '');
      if (!release || !ownRelease || Number.isNaN(time)) return;
      latest = time;
      if (release === ownRelease) {
        since = null;
        replies = 0;
        quietUntil = 0;
      } else {
        since ??= time;
        replies += 1;
      }
      update();
    },
    /** Says nothing more until the day is over, and from then on for an hour. */
    later(): void {
      if (since === null) return;
      quietUntil = stage === 'outdated' ? latest + remindAfterMs : since + outdatedAfterMs;
      update();
    },
  };
}

/** The release of the server, as the replies to this page say. */
export const releaseWatch = createReleaseWatch(globalThis.document?.documentElement.dataset.release);
