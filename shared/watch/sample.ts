import { findWaitingSince } from '#shared/data/generations/waiting.ts';
import { isSampled, type MinuteSample, minuteOf, storeSample } from '#shared/data/operator/minutes.ts';
import { listServers } from '#shared/data/queue/server-reports.ts';
import { countWorkers } from '#shared/data/queue/worker-slots.ts';
import { inTime } from '#shared/platform/in-time.ts';
import { firstBatchPriority } from '#shared/platform/priorities.ts';
import { readQueue } from '#shared/platform/queue-control.ts';
import type { WatchContext } from './context.ts';

/** How long the queue may take to answer, in ms. */
const answerMs = 5_000;

/**
 * Stores the figures of the current minute, unless another process has.
 * @returns whether this process stored them
 */
export async function sampleMinute({ db, queue, log }: WatchContext, now: Date): Promise<boolean> {
  const minute = minuteOf(now);
  if (await isSampled(db, minute)) return false;
  const [jobs, waitingSince, servers, workers] = await Promise.all([
    inTime(readQueue(queue), answerMs).catch((error) => {
      log.warn({ err: error }, 'the queue was not read for the charts');
      return null;
    }),
    findWaitingSince(db, firstBatchPriority),
    listServers(db),
    countWorkers(db),
  ]);
  const since = waitingSince.single;
  const sample: MinuteSample = {
    waiting: jobs?.waiting ?? null,
    running: jobs?.running ?? null,
    delayed: jobs?.delayed ?? null,
    failed_jobs: jobs?.failed ?? null,
    oldest_waiting: since ? Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000)) : 0,
    sockets: servers.reduce((sum, { sockets }) => sum + sockets, 0),
    workers,
  };
  return storeSample(db, minute, sample);
}
