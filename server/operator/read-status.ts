import { type OperatorNow, runbookOf } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findCostDay } from '#shared/data/costs/provider-costs.ts';
import { findWaitingSince } from '#shared/data/generations/waiting.ts';
import { findFailingMails } from '#shared/data/mails.ts';
import { listAlerts } from '#shared/data/operator/alerts.ts';
import { listMinutes, type MinuteRow } from '#shared/data/operator/minutes.ts';
import { listSeenWorkers, type SeenWorkerRow } from '#shared/data/queue/seen-workers.ts';
import { listServers, type ProcessReport } from '#shared/data/queue/server-reports.ts';
import { listWorkers, type WorkerSlotsRow } from '#shared/data/queue/worker-slots.ts';
import { queueWarning } from '#shared/platform/check-queue.ts';
import { nextDay } from '#shared/platform/days.ts';
import { percentile, totalOf } from '#shared/platform/histogram.ts';
import { inTime } from '#shared/platform/in-time.ts';
import { firstBatchPriority } from '#shared/platform/priorities.ts';
import { readQueue } from '#shared/platform/queue-control.ts';
import { type ProviderFlow, readProviderFlow } from '#shared/provider/flow.ts';
import { rememberedMs } from '#shared/watch/gone-workers.ts';
import { durationsOf, failuresOf } from '#shared/watch/series.ts';

type NowContext = Pick<ServerContext, 'db' | 'queue' | 'config'>;

/** How long the queue may take to answer, in ms. */
const answerMs = 2_000;

const hourMs = 3_600_000;
/** The whole minutes before the current one from which images per minute are computed. */
const recentMinutes = 5;

/** Reads how the installation is now. @throws when MongoDB does not answer; a queue that does not is part of what is read */
export async function readStatus({ db, queue, config }: NowContext): Promise<OperatorNow> {
  const now = new Date();
  const [jobs, queueAdvice, waiting, minutes, provider, workers, seen, servers, mails, alerts, costs] =
    await Promise.all([
      inTime(readQueue(queue), answerMs).then(
        (read) => ({ read, error: null }),
        (error: unknown) => ({ read: null, error: error instanceof Error ? error.message : String(error) }),
      ),
      inTime(queueWarning(queue, config.queueUrl), answerMs).catch(() => null),
      findWaitingSince(db, firstBatchPriority),
      listMinutes(db, new Date(now.getTime() - hourMs)),
      readProviderFlow(db),
      listWorkers(db),
      listSeenWorkers(db),
      listServers(db),
      findFailingMails(db),
      listAlerts(db),
      findCostDay(db, now),
    ]);
  const since = waiting.single;
  // One that runs may have reported last before another one was started.
  const crashed = seen.filter(({ _id: id }) => workers.every(({ _id: running }) => running !== id));
  const failures = Object.entries(failuresOf(minutes)).map(([cause, count]) => ({ cause, count }));
  const reports = [...servers, ...workers].flatMap(({ report }) => (report ? [report] : []));
  return {
    at: now.toISOString(),
    queue: jobs.read,
    oldestWaiting: since ? Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000)) : 0,
    imagesPerMinute: imagesPerMinute(minutes, now),
    latency: latencyOf(minutes),
    images: minutes.reduce((sum, { images }) => sum + images, 0),
    failures: failures.toSorted((one, other) => other.count - one.count),
    provider: presentProvider(provider),
    budgetStop: costs?.stopped_at ? { until: nextDay(now).toISOString(), total: costs.total } : null,
    workers: workers.map((worker) => presentWorker(worker, crashed)),
    servers: servers.map(({ _id: id, sockets, report }) => ({ ...presentProcess(id, report), sockets })),
    stores: storesOf(reports, jobs.error, queueAdvice, mails, now),
    alerts: alerts.flatMap(({ _id: kind, since: began, details }) =>
      began ? [{ kind, since: began.toISOString(), details, runbook: runbookOf(kind) }] : [],
    ),
  };
}

function imagesPerMinute(minutes: readonly MinuteRow[], now: Date): number {
  const end = now.getTime() - (now.getTime() % 60_000);
  const recent = minutes.filter(
    ({ at }) => at.getTime() < end && at.getTime() >= end - recentMinutes * 60_000,
  );
  return Math.round((recent.reduce((sum, { images }) => sum + images, 0) / recentMinutes) * 10) / 10;
}

function latencyOf(minutes: readonly MinuteRow[]): OperatorNow['latency'] {
  const durations = durationsOf(minutes);
  if (totalOf(durations) === 0) return null;
  const seconds = (fraction: number) => Math.round(percentile(durations, fraction) / 100) / 10;
  return { p50: seconds(0.5), p95: seconds(0.95) };
}

function presentProvider({ limiter, since, until, ...provider }: ProviderFlow): OperatorNow['provider'] {
  return {
    ...provider,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    limiter: { ...limiter, waitsUntil: limiter.waitsUntil?.toISOString() ?? null },
  };
}

function presentProcess(id: string, { version, host, pid, started_at, reported_at }: ProcessReport) {
  return {
    id,
    version,
    host,
    pid,
    startedAt: started_at.toISOString(),
    reportedAt: reported_at.toISOString(),
  };
}

/** @param crashed workers that are gone and were not shut down */
function presentWorker(
  { _id: id, slots, running = [], images = { made: 0, failed: 0, ms: 0 }, report }: WorkerSlotsRow,
  crashed: readonly SeenWorkerRow[],
): OperatorNow['workers'][number] {
  const { made, failed, ms } = images;
  const started = report.started_at.getTime();
  const crashes = crashed.filter(
    ({ host, reported_at: at }) =>
      host === report.host && at.getTime() < started && started - at.getTime() < rememberedMs,
  );
  return {
    ...presentProcess(id, report),
    concurrency: slots,
    running,
    made,
    failed,
    secondsPerImage: made === 0 ? null : Math.round(ms / made / 100) / 10,
    crashes: crashes.length,
  };
}

/**
 * @param queueError why this server's queue does not answer; null if it does
 * @param queueAdvice what operators should change about the queue; null if nothing
 */
function storesOf(
  reports: readonly ProcessReport[],
  queueError: string | null,
  queueAdvice: string | null,
  mails: Awaited<ReturnType<typeof findFailingMails>>,
  now: Date,
): OperatorNow['stores'] {
  const works = { works: true, error: null, since: null, processes: 0, warning: null };
  const reported = (['queue', 'storage'] as const).map((store) => {
    const problems = reports
      .flatMap((report) => report.problems)
      .filter((problem) => problem.store === store)
      .toSorted((one, other) => one.since.getTime() - other.since.getTime());
    const first = problems[0];
    if (first) {
      return {
        store,
        works: false,
        error: first.error,
        since: first.since.toISOString(),
        processes: problems.length,
        warning: null,
      };
    }
    if (store === 'queue' && queueError !== null) {
      return {
        store,
        works: false,
        error: queueError,
        since: now.toISOString(),
        processes: 1,
        warning: null,
      };
    }
    return { store, ...works, warning: store === 'queue' ? queueAdvice : null };
  });
  const mail = mails.since
    ? {
        store: 'mail' as const,
        works: false,
        error: mails.failure,
        since: mails.since.toISOString(),
        processes: 0,
        warning: null,
      }
    : { store: 'mail' as const, ...works };
  // It answered all of the above.
  return [{ store: 'mongodb', ...works }, ...reported, mail];
}
