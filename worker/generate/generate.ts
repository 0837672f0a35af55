import { continueBatchSoon } from '#shared/batches/run.ts';
import { claimGeneration, endRunning, renewAttempt } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { recordDuration } from '#shared/data/queue/durations.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { annotateSpan, currentTrace, inTraceOf, type Trace } from '#shared/platform/trace.ts';
import { TryLater } from '#worker/flow/obstacle.ts';
import type { KnownPause } from '#worker/flow/provider-pause.ts';
import type { Slot } from '#worker/flow/provider-slots.ts';
import { leaseMs, type WorkerContext } from '../context.ts';
import { beginAttemptRecord, type RunningAttempt, Superseded, stopReasons } from './attempt.ts';
import { imageEnded } from './image-ended.ts';
import { makeImage } from './make-image.ts';
import { removeAttemptFiles, removeAttemptsOfEnded } from './previews.ts';

/** The shortest delay of a job that came while another attempt holds its generation, in ms. */
const shortestDelayMs = 1_000;

/**
 * The job: claims a generation, makes its image, ends the generation and settles it. Safe to run any number of times, in
 * any number of workers.
 * @param slot for the call to the provider
 * @returns what came of it, for the queue's log
 * @throws TryLater when the job is to be retried
 */
export async function generate(context: WorkerContext, generationId: string, slot: Slot): Promise<string> {
  const { db } = context;
  const [claim, pause] = await Promise.all([
    claimGeneration(db, generationId, leaseMs(context.config), context.config.image.previews),
    // Read at the same time, because the call needs it soon.
    context.flow.pause(),
  ]);
  if (claim.outcome === 'ended') return 'ended before';
  if (claim.outcome === 'leased') {
    const delayMs = Math.max(shortestDelayMs, claim.until.getTime() - Date.now());
    throw new TryLater('another attempt holds it', delayMs);
  }

  const { row } = claim;
  context.fairOrder.claimed(row);
  return inTraceOf(row, () => attemptImage(context, row, slot, pause));
}

/** The traces of the generations whose attempts failed. */
const tracesOfErrors = new WeakMap<object, Trace>();

/** The trace of the generation that an attempt failed with this error; undefined for other errors. */
export function traceOfError(error: Error): Trace | undefined {
  return tracesOfErrors.get(error);
}

/** An attempt of a claimed generation. */
async function attemptImage(
  context: WorkerContext,
  row: GenerationRow,
  slot: Slot,
  pause: KnownPause,
): Promise<string> {
  const { db, underWay, log } = context;
  const { _id: generationId } = row;
  annotateSpan({ generation: generationId, seller: row.profile, fence: row.fence });
  const began = performance.now();
  const stop = new AbortController();
  const record = beginAttemptRecord(context, row);
  const attempt: RunningAttempt = { generationId, fence: row.fence, stop, record, slot, pause };
  underWay.set(generationId, stop);
  const renewal = keepLease(context, attempt);
  let hasSettled = false;
  try {
    const outcome = await makeImage(context, row, attempt);
    const ended = await endRunning(db, attempt, outcome);
    if (!ended) throw new Superseded();
    record.end(outcome.state, outcome.state === 'failed' ? outcome.failure.detail : '');
    imageEnded(context, row, outcome, performance.now() - began);
    recordTime(context, ended);
    await settleGeneration(context, ended, {
      removeFiles: () => removeAttemptFiles(context, ended),
      notRecorded: (error) =>
        log.warn(
          { err: error, generation: generationId },
          'not recorded as settled; upkeep settles it again',
        ),
    });
    hasSettled = true;
    context.comparisons?.add(ended);
    // Not awaited: the next job need not wait for it.
    if (ended.batch) continueBatchSoon(context, ended.batch.id);
    return ended.state;
  } catch (error) {
    if (error instanceof Superseded) {
      record.end('superseded');
      imageEnded(context, row, { state: 'superseded' }, performance.now() - began);
      return 'superseded';
    }
    record.end('handed-back', (error as Error).message);
    if (error instanceof Error) tracesOfErrors.set(error, currentTrace()!);
    throw error;
  } finally {
    clearInterval(renewal);
    if (underWay.get(generationId) === stop) underWay.delete(generationId);
    if (!hasSettled) await removeAttemptsOfEnded(context, generationId);
  }
}

/**
 * Counts how long an image took, for the estimates of others. One that had to wait for another attempt says nothing about
 * how long images take. Not awaited: nobody waits for it, and losing one does not matter.
 */
function recordTime({ db, config, log }: WorkerContext, row: GenerationRow): void {
  const { state, fence, started_at: began, ended_at: ended, quality } = row;
  if (state !== 'succeeded' || fence !== 1 || !began || !ended || !quality) return;
  const { width, height } = row.options;
  const kind = { model: config.image.model, size: `${width}x${height}`, quality };
  recordDuration(db, kind, bucketOf(ended.getTime() - began.getTime())).catch((error) =>
    log.warn({ err: error, generation: row._id }, 'a duration was not counted'),
  );
}

/** Renews the attempt's lease, and stops the attempt when it has lost its generation. @returns the timer */
function keepLease({ db, config }: WorkerContext, attempt: RunningAttempt): NodeJS.Timeout {
  const lease = leaseMs(config);
  return setInterval(async () => {
    // A failed renewal does not prove that the lease is lost, so the attempt continues.
    const kept = await renewAttempt(db, attempt, lease).catch(() => true);
    if (!kept) attempt.stop.abort(stopReasons.lost);
  }, lease / 4);
}
