import type { SeenWorkerRow } from '#shared/data/queue/seen-workers.ts';

/** Without a report for so long, a worker is gone, in ms. */
const goneMs = 120_000;

/** For how long a worker that is gone is remembered, in ms. */
export const rememberedMs = 86_400_000;

/** The workers that reported until a moment and were not shut down. @param workers that run or are gone */
function goneWorkers(workers: readonly SeenWorkerRow[], now: Date): SeenWorkerRow[] {
  return workers.filter(({ reported_at: at }) => now.getTime() - at.getTime() >= goneMs);
}

/**
 * The workers that are gone and were not replaced: each worker that was started after the last report of another one replaces
 * one, on whatever machine.
 * @param workers that run or are gone, in the order of their last report
 */
export function missingWorkers(workers: readonly SeenWorkerRow[], now: Date): SeenWorkerRow[] {
  const gone = goneWorkers(workers, now);
  const started = workers
    .filter((worker) => !gone.includes(worker))
    .map(({ started_at: at }) => at.getTime())
    .toSorted((one, other) => one - other);
  return gone.filter(({ reported_at: at }) => {
    const replacement = started.findIndex((start) => start > at.getTime());
    if (replacement === -1) return true;
    started.splice(replacement, 1);
    return false;
  });
}
