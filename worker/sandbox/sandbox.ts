import { sandboxOf } from '#shared/data/test-seller.ts';
import { logConnectionErrors } from '#shared/platform/log-connection-errors.ts';
import { runPeriodically } from '#shared/platform/periodic-task.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { sandboxConfig } from '#shared/platform/sandbox-config.ts';
import { inTrace, newTrace } from '#shared/platform/trace.ts';
import { minuteWindow } from '#shared/provider/limiter.ts';
import type { Tracing } from '#shared/tracing/record-traces.ts';
import { openDailyBudget } from '#worker/flow/daily-budget.ts';
import { createFairOrder } from '#worker/flow/fair-order.ts';
import { openProviderSlots } from '#worker/flow/provider-slots.ts';
import { countRecentImages } from '#worker/generate/recent-images.ts';
import { startSandboxProvider } from '#worker/providers/sandbox/start.ts';
import { runImageUpkeep } from '#worker/upkeep/upkeep.ts';
import { leaseMs, type WorkerContext } from '../context.ts';
import { openJobs } from '../jobs.ts';
import { matchesOfTests } from './matches.ts';
import { removeOldTests } from './remove-old.ts';
import { sandboxFlow } from './sandbox-flow.ts';

/*
 * The sandbox of a worker (docs/decisions/0139-a-sandbox-beside-what-is-real.md): the same jobs and the same upkeep with a context of
 * its own, in which collections, queue, provider and what is known of calls are others.
 */

/** Test images that one worker makes at the same time: most of that time each of them only waits. */
const places = 10;

/** Delay before the first retry of a test image, in ms: an integration is tested in seconds. */
const backoffMs = 500;

export interface RunningSandbox {
  context: WorkerContext;
  /** The attempts of test images that run, as those of the worker. */
  underWay: WorkerContext['underWay'];
  ready(): Promise<void>;
  /** Begins to take jobs. */
  run(): void;
  /** Takes no more jobs, and waits for those that run. */
  jobsEnded(): Promise<void>;
  /** Closes what is left open, after {@link jobsEnded}. */
  close(): Promise<void>;
}

/** Opens the sandbox of a worker. */
export function startSandbox(worker: WorkerContext, tracing: Tracing | null): RunningSandbox {
  const context = sandboxContext(worker, tracing);
  const { config, queue, log } = context;
  const slots = openProviderSlots({
    ...context,
    limits: { perMinute: 0, inFlight: 0 },
    leaseMs: leaseMs(config),
    window: minuteWindow,
  });
  const jobs = openJobs(context, slots, tracing);
  let upkeep: ReturnType<typeof startUpkeep> | undefined;
  let running: Promise<void> | undefined;
  return {
    context,
    underWay: context.underWay,
    async ready() {
      await Promise.all([queue.waitUntilReady(), jobs.waitUntilReady()]);
    },
    run() {
      running = jobs.run();
      upkeep = startUpkeep(context);
    },
    async jobsEnded() {
      await Promise.all([jobs.close(), upkeep?.stop()]);
      await running;
    },
    async close() {
      slots.stop();
      await context.fairOrder.stop();
      await context.provider.close();
      await queue.close();
      log.debug('the sandbox is closed');
    },
  };
}

function sandboxContext(worker: WorkerContext, tracing: Tracing | null): WorkerContext {
  const { log } = worker;
  const ofAccounts = sandboxConfig(worker.config);
  const config: WorkerContext['config'] = {
    ...ofAccounts,
    image: { ...ofAccounts.image, provider: 'echo', model: 'sandbox', backoffMs },
    worker: { ...ofAccounts.worker, concurrency: places },
  };
  const db = sandboxOf(worker.db);
  const queue = openQueue(config, tracing?.queue);
  logConnectionErrors(queue, 'queue of the sandbox', log);
  const parts = { ...worker, config, db, queue };
  return {
    ...parts,
    provider: startSandboxProvider(parts, config.image.previews),
    comparisons: matchesOfTests(parts),
    budget: openDailyBudget(parts),
    fairOrder: createFairOrder(parts),
    flow: sandboxFlow,
    underWay: new Map(),
    recentImages: countRecentImages(),
    credentials: null,
  };
}

function startUpkeep(context: WorkerContext) {
  const { config, log } = context;
  return runPeriodically(
    config.worker.upkeepIntervalMs,
    () =>
      inTrace(newTrace(), async () => {
        const mended = await runImageUpkeep(context);
        const testsRemoved = await removeOldTests(context);
        const report = { ...mended, testsRemoved };
        if (Object.values(report).some((count) => count > 0)) log.info(report, 'upkeep of the sandbox');
      }),
    (error) => log.error({ err: error }, 'upkeep of the sandbox failed'),
  );
}
