import type { Gauge } from 'prom-client';
import type { ServerContext } from '#server/http/context.ts';
import type { Live } from '#server/live/live.ts';
import { countUnhandledStripeEvents } from '#shared/data/billing/stripe-events.ts';
import type { Db } from '#shared/data/db.ts';
import { countUnsettled } from '#shared/data/generations/end.ts';
import { findWaitingSince } from '#shared/data/generations/waiting.ts';
import { countFailedMails, countWaitingMails } from '#shared/data/mails.ts';
import { findAuditResult } from '#shared/data/operator/audit-results.ts';
import { findBackupResult } from '#shared/data/operator/backup-results.ts';
import { countHeldImages } from '#shared/data/profiles/holds.ts';
import { pauseKinds } from '#shared/data/queue/provider-pauses.ts';
import { countSlots, countWorkers } from '#shared/data/queue/worker-slots.ts';
import { waitingDeliveries } from '#shared/data/webhooks/deliveries.ts';
import * as metrics from '#shared/metrics/metrics.ts';
import type { Collect } from '#shared/metrics/serve.ts';
import { createStoreHealth, showStoreHealth } from '#shared/metrics/store-health.ts';
import { createStoreRead } from '#shared/metrics/store-read.ts';
import { firstBatchPriority } from '#shared/platform/priorities.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import { type ProviderFlow, readProviderFlow } from '#shared/provider/flow.ts';
import { missingBackup } from '#shared/watch/missing-backup.ts';
import { hourSpending, readSpending, type Spending, todayOf } from '#shared/watch/spending.ts';

const breakerStates = ['closed', 'half-open', 'open'] as const;

/** The states of jobs that are counted. */
const jobStates = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;

/**
 * Sets the gauges of a server: its own, and those of the installation, which are in the stores. A gauge whose store fails is
 * absent.
 */
export function collectServerMetrics(context: ServerContext, live: Live): Collect {
  const { config, db, queue, log } = context;
  const report = (error: unknown) => log.warn({ err: error }, 'a figure for the metrics could not be read');
  const storeHealth = createStoreHealth(context, config.storageReserveBytes);
  const figures = createStoreRead(() => readFigures(db, config.image.dailyCap), report);
  const jobs = createStoreRead(() => readQueue(queue), report);
  return async () => {
    metrics.openSockets.set(live.openSockets());

    const [figuresNow, jobsNow, health] = await Promise.all([figures(), jobs(), storeHealth()]);
    showFigures(figuresNow);
    showQueue(jobsNow);
    showStoreHealth(health);
  };
}

async function readFigures(db: Db, cap: number | null) {
  return awaitAll({
    waiting: findWaitingSince(db, firstBatchPriority),
    unsettled: countUnsettled(db),
    held: countHeldImages(db),
    mails: countWaitingMails(db),
    failedMails: countFailedMails(db),
    webhooks: waitingDeliveries(db),
    events: countUnhandledStripeEvents(db),
    flow: readProviderFlow(db),
    audit: findAuditResult(db),
    backup: findBackupResult(db),
    workers: countWorkers(db),
    slots: countSlots(db),
    costs: readSpending(db, cap, new Date()),
  });
}

/** The values of promises, each under the name of its promise. */
async function awaitAll<Values extends object>(
  promises: {
    [Name in keyof Values]: Promise<Values[Name]>;
  },
): Promise<Values> {
  const named = Object.entries<Promise<unknown>>(promises).map(async ([name, value]) => [name, await value]);
  return Object.fromEntries(await Promise.all(named));
}

function showFigures(figures: Awaited<ReturnType<typeof readFigures>> | undefined): void {
  metrics.oldestWaiting.reset();
  for (const kind of figures ? metrics.generationKinds : []) {
    metrics.oldestWaiting.set({ kind }, secondsSince(figures!.waiting[kind]));
  }
  showProviderFlow(figures?.flow);
  show(metrics.unsettledGenerations, figures?.unsettled);
  show(metrics.heldImages, figures?.held);
  show(metrics.waitingMails, figures?.mails);
  metrics.failedMails.reset();
  for (const [state, count] of Object.entries(figures?.failedMails ?? {})) {
    metrics.failedMails.set({ state }, count);
  }
  show(metrics.waitingWebhooks, figures?.webhooks.count);
  show(metrics.overdueWebhooks, figures && secondsSince(figures.webhooks.overdueSince));
  show(metrics.unhandledStripeEvents, figures?.events.count);
  show(metrics.oldestStripeEvent, figures && secondsSince(figures.events.since));
  show(metrics.auditFindings, figures?.audit?.findings);
  show(metrics.auditAge, figures?.audit ? secondsSince(figures.audit.ended_at) : undefined);
  const backup = figures?.backup;
  show(metrics.backupFailing, backup && Number(missingBackup(backup, new Date()) !== undefined));
  show(metrics.backupAge, backup?.ended_at ? secondsSince(backup.ended_at) : undefined);
  show(metrics.workers, figures?.workers);
  show(metrics.workerSlots, figures?.slots);
  showSpending(figures?.costs);
}

function showProviderFlow(flow: ProviderFlow | undefined): void {
  const { providerBreaker, providerPaused, providerLimit, providerLimitUsed } = metrics;
  for (const gauge of [providerBreaker, providerPaused, providerLimit, providerLimitUsed]) gauge.reset();
  show(metrics.providerRefusedCalls, flow?.refusedCalls);
  if (!flow) return;
  const { breaker, until, kind: cause, limiter } = flow;
  for (const state of breakerStates) providerBreaker.set({ state }, Number(breaker === state));
  for (const kind of pauseKinds) providerPaused.set({ kind }, Number(until !== null && cause === kind));
  providerLimit.set({ limit: 'per_minute' }, limiter.perMinute);
  providerLimit.set({ limit: 'in_flight' }, limiter.inFlight);
  providerLimitUsed.set({ limit: 'per_minute' }, limiter.used);
  providerLimitUsed.set({ limit: 'in_flight' }, limiter.running);
}

function showSpending(spending: Spending | undefined): void {
  const now = new Date();
  const today = spending && todayOf(spending, now);
  show(metrics.providerCostCap, spending?.cap ?? undefined);
  show(metrics.providerCostToday, spending && (today?.total ?? 0));
  show(metrics.providerCostStopped, spending && Number(today?.stopped_at !== undefined));
  metrics.providerCostHour.reset();
  if (!spending) return;
  for (const [hour, amount] of Object.entries(hourSpending(spending.days, now))) {
    metrics.providerCostHour.set({ hour }, amount);
  }
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
function show(gauge: Gauge, value: number | null | undefined): void {
  if (value === undefined || value === null) gauge.remove();
  else gauge.set(value);
}

/** 0 for null. */
function secondsSince(moment: Date | null): number {
  return moment === null ? 0 : Math.max(0, (Date.now() - moment.getTime()) / 1_000);
}
