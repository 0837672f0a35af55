import { setTimeout as wait } from 'node:timers/promises';
import { updateRunning } from '#shared/data/generations/attempts.ts';
import type { GenerationRow, StoredImage } from '#shared/data/generations/schema.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { handBack, type RunningAttempt, Superseded, stopReasons, writeAndAnnounce } from './attempt.ts';
import type { WorkerContext } from './context.ts';
import { hasWaitedTooLong } from './obstacle.ts';
import { storeImage } from './output.ts';

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/**
 * Stores the image of an attempt. While the storage folder fails, the image stays in memory and storing is retried,
 * because its call was paid for. A worker that shuts down meanwhile loses it and hands the generation back.
 * @throws Superseded when the generation is no longer the attempt's, TryLater when the worker shuts down, StorageError
 *   when the generation has waited too long
 */
export async function storeImageWithRetry(
  context: WorkerContext,
  row: GenerationRow,
  attempt: RunningAttempt,
  png: Buffer,
): Promise<StoredImage> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await storeImage(context.storage, row, png);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (hasWaitedTooLong(row, context.storageWatch.recordFailure(error))) throw error;
      if (pauseMs === firstPauseMs) await showWaiting(context, attempt);
    }
    await wait(pauseMs, undefined, { signal: attempt.stop.signal }).catch(() => giveUp(context, attempt));
  }
}

async function showWaiting(context: WorkerContext, attempt: RunningAttempt): Promise<void> {
  const progress = {
    stage: 'waiting',
    waiting_for: 'storage',
    previews: 0,
    previews_expected: 0,
  } as const;
  await writeAndAnnounce(context, attempt, (db) => updateRunning(db, attempt, { progress }));
}

function giveUp(context: WorkerContext, attempt: RunningAttempt): Promise<never> {
  if (attempt.stop.signal.reason !== stopReasons.shutdown) throw new Superseded();
  context.log.error(
    { generation: attempt.generationId },
    'an image that could not be stored is lost with its worker and will be made again',
  );
  return handBack(context, attempt, 'the worker is shutting down', {
    until: new Date(),
    waitingFor: 'worker',
  });
}
