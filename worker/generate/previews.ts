import { hasEnded, limits } from '#contract';
import { findWithPreviewsLeft, recordPreviewsRemoved } from '#shared/data/generations/attempts.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sharp } from '#shared/platform/sharp.ts';
import type { StoredPreviewFormat } from '#shared/storage/storage.ts';
import type { WorkerContext } from '../context.ts';

/** A preview as it is stored. */
interface SmallPreview {
  bytes: Buffer;
  format: StoredPreviewFormat;
}

/**
 * How previews are encoded: the fastest way of each format, since a preview is visible for seconds. WebP takes a third of
 * the time of a whole preview, so only those with transparency are WebP (docs/decisions/0076-cost-of-a-generation.md).
 */
const encodings = {
  jpeg: { quality: 80, optimiseCoding: false },
  webp: { quality: 80, effort: 0 },
} as const;

/**
 * Scales the provider's preview down, so that it cannot replace the image.
 * @throws when the bytes are not an image
 */
export async function smallPreview(bytes: Buffer): Promise<SmallPreview> {
  const preview = sharp(bytes, { limitInputPixels: limits.photoPixels, sequentialRead: true });
  const format = (await preview.metadata()).hasAlpha ? 'webp' : 'jpeg';
  const small = preview.resize({
    width: limits.previewSide,
    height: limits.previewSide,
    fit: 'inside',
    // Takes a tenth less time than the default; nobody looks for fine detail in a preview.
    kernel: 'linear',
    withoutEnlargement: true,
  });
  const encoded = format === 'webp' ? small.webp(encodings.webp) : small.jpeg(encodings.jpeg);
  return { bytes: await encoded.toBuffer(), format };
}

/**
 * Removes the files of the attempts of a generation that has ended: its previews, and images that are not its own, such as
 * one that was stored while the seller cancelled.
 * @returns whether they are removed; if not, upkeep tries again
 */
export function removeAttemptFiles(
  context: WorkerContext,
  { _id: id, image }: GenerationRow,
): Promise<boolean> {
  return tryRemove(context, id, () => context.storage.removeAttempts(id, image?.key));
}

/**
 * Removes the files of attempts if the generation has ended, and records it. An attempt that did not end its generation calls it at its end;
 * upkeep removes what an attempt that died leaves.
 */
export async function removeAttemptsOfEnded(context: WorkerContext, generationId: string): Promise<void> {
  await tryRemove(context, generationId, () => removeAttempts(context, generationId));
}

/** Removes files, and leaves what fails to upkeep. @returns whether they are removed */
async function tryRemove(
  { log }: WorkerContext,
  generation: string,
  remove: () => Promise<void>,
): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    log.warn({ err: error, generation }, 'previews not removed; upkeep will try again');
    return false;
  }
}

/** Removes the files of attempts of generations that ended before a moment. @returns how many */
export async function removeLeftAttempts(
  context: WorkerContext,
  endedBefore: Date,
  limit: number,
): Promise<number> {
  const ids = await findWithPreviewsLeft(context.db, endedBefore, limit);
  for (const id of ids) await removeAttempts(context, id);
  return ids.length;
}

/** Removes the files first: if it fails, the row still says that there may be files. */
async function removeAttempts({ db, storage }: WorkerContext, generationId: string): Promise<void> {
  const row = await findInAnyState(db, generationId);
  if (row && !hasEnded(row.state)) return;
  await storage.removeAttempts(generationId, row?.image?.key);
  await recordPreviewsRemoved(db, generationId);
}
