import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openBilling } from '#shared/billing/client.ts';
import { openDb } from '#shared/data/connect.ts';
import { reportWorker, withdrawWorker } from '#shared/data/queue/worker-slots.ts';
import { openCredentials } from '#shared/images/credentials.ts';
import { type MetricsListener, serveMetrics } from '#shared/metrics/serve.ts';
import { createStoreHealth } from '#shared/metrics/store-health.ts';
import { checkQueue, logQueueWarning } from '#shared/platform/check-queue.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import { logConnectionErrors } from '#shared/platform/log-connection-errors.ts';
import { type PeriodicTask, runPeriodically } from '#shared/platform/periodic-task.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { openRelay } from '#shared/platform/relay.ts';
import { inTrace, newTrace } from '#shared/platform/trace.ts';
import { minuteWindow } from '#shared/provider/limiter.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import type { Tracing } from '#shared/tracing/record-traces.ts';
import { startTracing } from '#shared/tracing/tracing.ts';
import { watchDatabase } from '#shared/watch/database-watch.ts';
import { type ProcessReports, reportRegularly } from '#shared/watch/report-process.ts';
import { watchRegularly } from '#shared/watch/watch.ts';
import { checkModel, warnOfUnknownPrice } from './check-model.ts';
import { leaseMs, type WorkerContext } from './context.ts';
import { openDailyBudget } from './flow/daily-budget.ts';
import { createFairOrder } from './flow/fair-order.ts';
import { flowOfWorkers } from './flow/provider-pause.ts';
import { openProviderSlots } from './flow/provider-slots.ts';
import { partOfReserve, watchStorage } from './flow/storage-watch.ts';
import { stopReasons } from './generate/attempt.ts';
import { countRecentImages } from './generate/recent-images.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { startMailDelivery } from './mails/mail-delivery.ts';
import { collectWorkerMetrics, measureCalls } from './metrics.ts';
import { createComparisons } from './product-match/comparisons.ts';
import { createProductMatcher, type ProductMatcher } from './product-match/product-matcher.ts';
import { startProvider } from './providers/providers.ts';
import { startSandbox } from './sandbox/sandbox.ts';
import { runBillingUpkeep } from './upkeep/billing.ts';
import { removeExpired } from './upkeep/retention.ts';
import { runUpkeep } from './upkeep/upkeep.ts';
import { startWebhookDelivery } from './webhooks/webhook-delivery.ts';

export interface RunningWorker {
  context: WorkerContext;
  jobs: Jobs;
  /** Lets running jobs finish within the grace period, hands the rest back, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a worker: it takes jobs until it is closed.
 * @throws when a store does not answer, or a migration fails
 */
export async function startWorker(config: Config): Promise<RunningWorker> {
  const log = createLog(config, 'worker');
  const tracing = await startTracing(config, 'worker', log);
  const context = await openContext(config, log, tracing);
  const { relay, queue, storageWatch, underWay } = context;
  const slots = openProviderSlots({
    ...context,
    limits: config.image.limits,
    leaseMs: leaseMs(config),
    window: minuteWindow,
  });
  const jobs = openJobs(context, slots, tracing);
  const sandbox = startSandbox(context, tracing);
  await Promise.all([relay.ready(), queue.waitUntilReady(), jobs.waitUntilReady(), sandbox.ready()]);
  await logQueueWarning(queue, config.queueUrl, log);
  await relay.onCancel((id) => (underWay.get(id) ?? sandbox.underWay.get(id))?.abort(stopReasons.cancelled));
  // Pauses only this worker: the folder of another one may work.
  const holds = new Set<string>();
  const hold = (reason: string) => (on: boolean) => {
    if (on) holds.add(reason);
    else holds.delete(reason);
    if (holds.size > 0) void jobs.pause(true);
    else jobs.resume();
  };
  storageWatch.onChange(hold('storage'));
  // Only this worker, too: one that starts with a larger cap goes on at once.
  context.budget.onStop(hold('budget'));
  await storageWatch.check();
  const metrics = config.metrics && (await serveWorkerMetrics(config.metrics, context, jobs));
  const modelCheck = checkModel(context);
  warnOfUnknownPrice(config, log);
  const reports = reportWorkerRegularly(context);
  await reports.ready;
  const running = jobs.run();
  sandbox.run();
  const watch = watchRegularly(context);
  const webhooks = startWebhookDelivery(context);
  await webhooks.ready();
  await relay.onWebhook(webhooks.nudge);
  const mails = startMailDelivery(context);
  await relay.onMail(mails.nudge);
  mails.nudge();
  const upkeep = startUpkeep(context, 'upkeep', () => {
    mails.nudge();
    return runUpkeep(context);
  });
  const retention = startUpkeep(context, 'retention', () => removeExpired(context), 'info');
  const webhookUpkeep = startUpkeep(context, 'webhook upkeep', webhooks.mend, 'info');
  const billingUpkeep = startUpkeep(context, 'billing upkeep', () => runBillingUpkeep(context));

  async function close(): Promise<void> {
    storageWatch.stop();
    context.budget.stop();
    const shutdown = setTimeout(() => {
      for (const stop of [...underWay.values(), ...sandbox.underWay.values()])
        stop.abort(stopReasons.shutdown);
    }, config.worker.graceMs);
    // Concurrently, so that no further job is taken from now on.
    await Promise.all([
      Promise.all([jobs.close(), sandbox.jobsEnded()]).finally(() => clearTimeout(shutdown)),
      upkeep.stop(),
      retention.stop(),
      mails.stop(),
      webhookUpkeep.stop(),
      webhooks.stop(),
      watch.stop(),
      reports.stop(),
      // Not awaited longer: every step may be interrupted, and another worker repeats it.
      Promise.race([billingUpkeep.stop(), wait(config.worker.graceMs, undefined, { ref: false })]),
    ]);
    await running;
    slots.stop();
    await metrics?.close();
    await context.fairOrder.stop();
    await context.comparisons?.close();
    await context.provider.close();
    await sandbox.close();
    await modelCheck;
    await relay.close();
    await queue.close();
    await context.db.close();
    await tracing?.close();
  }
  let closing: Promise<void> | undefined;
  return {
    context,
    jobs,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function openContext(config: Config, log: Log, tracing: Tracing | null): Promise<WorkerContext> {
  const credentials = await openCredentials(config, log);
  const matcher = config.worker.productMatch ? await openMatcher(config) : null;
  const db = await openDb(config.mongodbUrl, log);
  await checkQueue(config.queueUrl);
  const relay = openRelay(config, 'worker', log);
  const queue = openQueue(config, tracing?.queue);
  logConnectionErrors(queue, 'queue', log);
  const storage = await openStorage(config.storage, db);
  return {
    config,
    db,
    relay,
    queue,
    log,
    storage,
    storageWatch: watchStorage({ config, storage, log }),
    billing: openBilling(config.billing),
    provider: measureCalls(startProvider(config.image)),
    comparisons: matcher && createComparisons({ db, relay, storage, log }, matcher),
    budget: openDailyBudget({ db, config, log }),
    fairOrder: createFairOrder({ db, queue, relay, log }),
    flow: flowOfWorkers({ db, queue, config, log }),
    underWay: new Map(),
    recentImages: countRecentImages(),
    credentials,
  };
}

/**
 * Images that are compared at a time at most. Each takes a process of 270 MB: the memory limit of the worker in `deploy/`
 * (1,536 MB) has room for so many beside the worker itself.
 */
const mostComparisons = 3;

/** @throws ConfigError when the installation's model cannot be used */
async function openMatcher({ cutoutModel, worker }: Config): Promise<ProductMatcher> {
  // More would wait for a core, and images do not come faster than the worker makes them.
  const atOnce = Math.min(availableParallelism(), worker.concurrency, mostComparisons);
  const matcher = createProductMatcher({}, cutoutModel, atOnce);
  if (cutoutModel === undefined) return matcher;
  try {
    await matcher.ready();
    return matcher;
  } catch (cause) {
    await matcher.close();
    throw new ConfigError(`CUTOUT_MODEL: ${(cause as Error).message}. See docs/settings.md.`);
  }
}

/** Serves the worker's metrics, and its health, which it has no other listener for. */
function serveWorkerMetrics(
  listenAt: NonNullable<Config['metrics']>,
  context: WorkerContext,
  jobs: Jobs,
): Promise<MetricsListener> {
  const storeHealth = createStoreHealth(context, context.config.storageReserveBytes * partOfReserve);
  return serveMetrics(listenAt, 'worker', context.log, collectWorkerMetrics(context, storeHealth), {
    // A worker whose storage fails pauses by itself; a restart would not repair the storage.
    isAlive: () => jobs.isRunning() || jobs.isPaused(),
    storeHealth,
  });
}

/** Reports this worker and what it makes, until it is stopped. */
function reportWorkerRegularly(context: WorkerContext): ProcessReports {
  const { config, underWay, recentImages } = context;
  const slots = config.worker.concurrency;
  return reportRegularly(
    context,
    {
      bytes: config.storageReserveBytes * partOfReserve,
      write: (db, id, report, lifeMs) =>
        reportWorker(
          db,
          id,
          { slots, running: [...underWay.keys()], images: recentImages.figures(), report },
          lifeMs,
        ),
      withdraw: withdrawWorker,
    },
    watchDatabase(context),
  );
}

/** Runs rounds of upkeep, and logs what they repaired. */
function startUpkeep(
  { config, log }: WorkerContext,
  name: string,
  round: () => Promise<object>,
  level: 'info' | 'warn' = 'warn',
): PeriodicTask {
  return runPeriodically(
    config.worker.upkeepIntervalMs,
    () =>
      inTrace(newTrace(), async () => {
        const report = await round();
        if (Object.values(report).some((count) => count > 0)) log[level](report, name);
      }),
    (error) => log.error({ err: error }, `${name} failed`),
  );
}
