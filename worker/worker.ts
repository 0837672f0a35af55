import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'bullmq';
import { openBilling } from '#shared/billing/client.ts';
import { openDb } from '#shared/data/open-db.ts';
import type { Config } from '#shared/platform/config.ts';
import { createLog } from '#shared/platform/log.ts';
import { type GenerationJob, openQueue, openQueueWorker } from '#shared/platform/queue.ts';
import { openRelay } from '#shared/platform/relay.ts';
import { createStorage } from '#shared/platform/storage.ts';
import { openStorageMarker } from '#shared/platform/storage-marker.ts';
import { stopReasons, TryLater } from './attempt.ts';
import { reconcileBilling } from './billing-upkeep.ts';
import type { WorkerContext } from './context.ts';
import { generate } from './generate.ts';
import { startMailDelivery } from './mails/mail-delivery.ts';
import { createProvider } from './provider.ts';
import { watchStorage } from './storage-watch.ts';
import { reconcile } from './upkeep.ts';

export interface RunningWorker {
  context: WorkerContext;
  jobs: Worker<GenerationJob, string, 'generate'>;
  /** Lets running jobs finish within the grace period, hands the rest back, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a worker: it takes jobs until it is closed.
 * @throws when a store does not answer, or a migration fails
 */
export async function startWorker(config: Config): Promise<RunningWorker> {
  const log = createLog(config, 'worker');
  const db = await openDb(config.mongodbUrl, log);
  const relay = openRelay(config, 'worker', log);
  const queue = openQueue(config);
  queue.on('error', (error) => log.warn({ err: error }, 'queue'));
  const storage = createStorage(config, openStorageMarker(config.storageFolder, db));
  const storageWatch = watchStorage({ config, storage, log });
  const context: WorkerContext = {
    config,
    db,
    relay,
    queue,
    log,
    storage,
    storageWatch,
    billing: openBilling(config.billing),
    provider: createProvider(config.image),
    underWay: new Map(),
  };

  const jobs = openQueueWorker(
    config,
    // Not BullMQ's abort signal: an attempt is stopped over the relay, or when it loses its lease.
    (job) => generate(context, job.data.generationId),
    (attemptsMade, _type, error) =>
      error instanceof TryLater ? error.delayMs : Math.min(30_000, 500 * 2 ** Math.min(attemptsMade ?? 1, 6)),
  );
  jobs.on('error', (error) => log.warn({ err: error }, 'queue worker'));
  jobs.on('failed', (job, error) => {
    if (error instanceof TryLater)
      log.info({ job: job?.id, reason: error.message, delayMs: error.delayMs }, 'job retried later');
    else log.error({ job: job?.id, err: error }, 'job failed');
  });
  await Promise.all([relay.ready(), queue.waitUntilReady(), jobs.waitUntilReady()]);
  await relay.onCancel((generationId) => context.underWay.get(generationId)?.abort(stopReasons.cancelled));
  // Pauses only this worker: the folder of another one may work.
  storageWatch.onChange((fails) => void (fails ? jobs.pause(true) : jobs.resume()));
  await storageWatch.check();
  const running = jobs.run();
  const mails = startMailDelivery(context);
  await relay.onMail(mails.nudge);
  mails.nudge();

  const upkeep = every(
    config.worker.upkeepIntervalMs,
    async () => {
      mails.nudge();
      const report = await reconcile(context);
      if (Object.values(report).some((count) => count > 0)) log.warn(report, 'upkeep');
    },
    (error) => log.error({ err: error }, 'upkeep failed'),
  );
  const billingUpkeep = every(
    config.worker.upkeepIntervalMs,
    async () => {
      const report = await reconcileBilling(context);
      if (Object.values(report).some((count) => count > 0)) log.warn(report, 'billing upkeep');
    },
    (error) => log.error({ err: error }, 'billing upkeep failed'),
  );

  let closing: Promise<void> | undefined;
  const close = async () => {
    storageWatch.stop();
    const handBack = setTimeout(() => {
      for (const stop of context.underWay.values()) stop.abort(stopReasons.shutdown);
    }, config.worker.graceMs);
    // Concurrently, so that no further job is taken from now on.
    await Promise.all([
      jobs.close().finally(() => clearTimeout(handBack)),
      upkeep.stop(),
      mails.stop(),
      // Not awaited longer: every step may be interrupted, and another worker repeats it.
      Promise.race([billingUpkeep.stop(), wait(config.worker.graceMs, undefined, { ref: false })]),
    ]);
    await running;
    await relay.close();
    await queue.close();
    await db.close();
  };
  return {
    context,
    jobs,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Runs a task periodically; the pause begins at its end. `stop` waits for a running task. */
function every(pauseMs: number, task: () => Promise<void>, onError: (error: unknown) => void) {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();
  const plan = () => {
    timer = setTimeout(() => {
      round = task()
        .catch(onError)
        .finally(() => {
          if (!stopped) plan();
        });
    }, pauseMs);
  };
  plan();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
