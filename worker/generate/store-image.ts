import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { updateRunning } from '#shared/data/generations/attempts.ts';
import type { GenerationRow, StoredImage } from '#shared/data/generations/schema.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { hasWaitedTooLong } from '#worker/flow/obstacle.ts';
import type { WorkerContext } from '../context.ts';
import { handBack, type RunningAttempt, Superseded, stopReasons, writeAndAnnounce } from './attempt.ts';
import { verifiedImage } from './check-image.ts';

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

/** Stores the image of an attempt. */
async function storeImage(
  storage: Storage,
  row: Pick<GenerationRow, '_id' | 'fence' | 'options'>,
  png: Buffer,
): Promise<StoredImage> {
  const { width, height } = row.options;
  const key = storageKeys.image(row._id, row.fence);
  const storing = storage.put(key, png);
  // While it is stored: the digest of a large image takes milliseconds.
  const digest = digestOf(png);
  await storing;
  return { key, width, height, ...digest };
}

/** What tells the stored file from any other: the audit compares it (scripts/audit/audit-images.ts). */
const digestOf = (png: Buffer) => ({
  bytes: png.byteLength,
  sha256: createHash('sha256').update(png).digest('hex'),
});

/** Finds the image that an earlier attempt stored before it died. Attempts with a smaller fence are searched, newest first. */
export async function findStoredImage(
  storage: Storage,
  row: Pick<GenerationRow, '_id' | 'fence' | 'options'>,
): Promise<StoredImage | undefined> {
  const { width, height } = row.options;
  for (let fence = row.fence - 1; fence >= 1; fence -= 1) {
    const key = storageKeys.image(row._id, fence);
    const bytes = await storage.get(key);
    if (!bytes) continue;
    const image = await verifiedImage(bytes, { width, height }, null).catch(() => undefined);
    if (image) return { key, width, height, ...digestOf(bytes) };
  }
  return undefined;
}
