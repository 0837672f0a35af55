import type { Gauge } from 'prom-client';
import type { ServerContext } from '#server/http/context.ts';
import type { Live } from '#server/live.ts';
import { findAuditResult } from '#shared/data/audit-results.ts';
import type { Db } from '#shared/data/db.ts';
import { countUnsettled } from '#shared/data/generations/end.ts';
import { findWaitingSince } from '#shared/data/generations/waiting-since.ts';
import { countWaitingMails } from '#shared/data/mails.ts';
import { countHeldImages } from '#shared/data/profiles/holds.ts';
import { findProviderPause, pauseKinds } from '#shared/data/provider-pauses.ts';
import { countUnhandledStripeEvents } from '#shared/data/stripe-events.ts';
import { countSlots, countWorkers } from '#shared/data/worker-slots.ts';
import * as metrics from '#shared/metrics/metrics.ts';
import type { Collect } from '#shared/metrics/serve.ts';
import { collectStoreHealth } from '#shared/metrics/store-health.ts';
import { createStoreRead } from '#shared/metrics/store-read.ts';
import { firstBatchPriority, type GenerationQueue } from '#shared/platform/queue.ts';

/** The states of jobs that are counted. */
const jobStates = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;

/**
 * Sets the gauges of a server: its own, and those of the installation, which are in the stores. A gauge whose store fails is
 * absent.
 */
export function collectServerMetrics(context: ServerContext, live: Live): Collect {
  const { config, db, queue, log } = context;
  const report = (error: unknown) => log.warn({ err: error }, 'a figure for the metrics could not be read');
  const storeHealth = collectStoreHealth(context, config.storageReserveBytes);
  const figures = createStoreRead(() => readFigures(db), report);
  const jobs = createStoreRead(() => readQueue(queue), report);
  return async () => {
    metrics.openSockets.set(live.openSockets());
    const [figuresNow, jobsNow] = await Promise.all([figures(), jobs(), storeHealth()]);
    showFigures(figuresNow);
    showQueue(jobsNow);
  };
}

async function readFigures(db: Db) {
  const [waiting, unsettled, held, mails, events, pause, audit, workers, slots] = await Promise.all([
    findWaitingSince(db, firstBatchPriority),
    countUnsettled(db),
    countHeldImages(db),
    countWaitingMails(db),
    countUnhandledStripeEvents(db),
    findProviderPause(db),
    findAuditResult(db),
    countWorkers(db),
    countSlots(db),
  ]);
  return { waiting, unsettled, held, mails, events, pause, audit, workers, slots };
}

function showFigures(figures: Awaited<ReturnType<typeof readFigures>> | undefined): void {
  metrics.oldestWaiting.reset();
  for (const kind of figures ? metrics.generationKinds : []) {
    metrics.oldestWaiting.set({ kind }, secondsSince(figures!.waiting[kind]));
  }
  metrics.providerPaused.reset();
  for (const kind of figures ? pauseKinds : []) {
    const { pause } = figures!;
    const paused = pause?.since && pause.careful > 0 && pause.kind === kind;
    metrics.providerPaused.set({ kind }, paused ? 1 : 0);
  }
  show(metrics.unsettledGenerations, figures?.unsettled);
  show(metrics.heldImages, figures?.held);
  show(metrics.waitingMails, figures?.mails);
  show(metrics.unhandledStripeEvents, figures?.events.count);
  show(metrics.oldestStripeEvent, figures && secondsSince(figures.events.since));
  show(metrics.auditFindings, figures?.audit?.findings);
  show(metrics.auditAge, figures?.audit ? secondsSince(figures.audit.ended_at) : undefined);
  show(metrics.workers, figures?.workers);
  show(metrics.workerSlots, figures?.slots);
}

async function readQueue(queue: GenerationQueue) {
  const [counts, paused] = await Promise.all([queue.getJobCounts(...jobStates), queue.isPaused()]);
  return { counts, paused };
}

function showQueue(found: Awaited<ReturnType<typeof readQueue>> | undefined): void {
  metrics.queueJobs.reset();
  for (const [state, count] of Object.entries(found?.counts ?? {})) metrics.queueJobs.set({ state }, count);
  show(metrics.queuePaused, found && Number(found.paused));
}

/** Sets a gauge without labels, or makes it absent. */
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** 0 for null. */
function secondsSince(moment: Date | null): number {
  return moment === null ? 0 : Math.max(0, (Date.now() - moment.getTime()) / 1_000);
}
