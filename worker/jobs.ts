import type { Worker } from 'bullmq';
import { logConnectionErrors } from '#shared/platform/log-connection-errors.ts';
import { type GenerationJob, openQueueWorker, promoteRetry, requeueError } from '#shared/platform/queue.ts';
import { inTraceOf } from '#shared/platform/trace.ts';
import type { Tracing } from '#shared/tracing/record-traces.ts';
import type { WorkerContext } from './context.ts';
import { TryLater } from './flow/obstacle.ts';
import type { ProviderSlots, Slot } from './flow/provider-slots.ts';
import { generate, traceOfError } from './generate/generate.ts';

export type Jobs = Worker<GenerationJob, string, 'generate'>;

/** The first and the longest delay before a job that failed unexpectedly is retried, in ms. */
const [firstBackoffMs, longestBackoffMs] = [1_000, 30_000];

/** Opens the worker's side of the queue; it takes jobs once it runs. */
export function openJobs(context: WorkerContext, slots: ProviderSlots, tracing: Tracing | null): Jobs {
  const { config, log } = context;
  const jobs = openQueueWorker(
    config,
    // Not BullMQ's abort signal: an attempt is stopped over the relay, or when it loses its lease.
    async (job) => {
      let slot: Slot | null = null;
      try {
        slot = await slots.take();
        if (!slot) throw requeueError();
        return await generate(context, job.data.generationId, slot);
      } catch (error) {
        if (error instanceof TryLater) {
          await promoteRetry(job).catch((failure) => log.warn({ err: failure }, 'a retry keeps its place'));
        }
        throw error;
      } finally {
        await slot?.end();
      }
    },
    (attemptsMade = 1, _type, error) => {
      if (error instanceof TryLater) return error.delayMs;
      return Math.min(longestBackoffMs, firstBackoffMs * 2 ** (Math.min(attemptsMade, 6) - 1));
    },
    tracing?.queue,
  );
  logConnectionErrors(jobs, 'queue worker', log);
  jobs.on('failed', (job, error) => {
    inTraceOf({ trace: traceOfError(error) }, () => {
      if (error instanceof TryLater) {
        log.info({ job: job?.id, reason: error.message, delayMs: error.delayMs }, 'job retried later');
      } else log.error({ job: job?.id, err: error }, 'job failed');
    });
  });
  return jobs;
}
