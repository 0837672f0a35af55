import sharp from 'sharp';
import { limits } from '#contract';
import { isOver } from '#shared/data/generations/end.ts';
import { findWithPreviewsLeft, recordPreviewsRemoved } from '#shared/data/generations/stored-previews.ts';
import type { WorkerContext } from './context.ts';

/** WebP effort. A preview is visible for seconds; the default effort takes twice as long to save a quarter of the bytes. */
const leastEffort = 0;

/**
 * Scales the provider's preview down, so that it cannot replace the image.
 * @returns WebP
 * @throws when the bytes are not an image
 */
export function smallPreview(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, { limitInputPixels: limits.photoPixels })
    .resize({
      width: limits.previewSide,
      height: limits.previewSide,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .webp({ quality: 80, effort: leastEffort })
    .toBuffer();
}

/**
 * Removes the previews of a generation if it has ended. Each attempt calls it at its end; upkeep removes what an attempt
 * that died leaves.
 */
export async function removePreviewsOfEnded(context: WorkerContext, generationId: string): Promise<void> {
  try {
    if (!(await isOver(context.db, generationId))) return;
    await removePreviews(context, generationId);
  } catch (error) {
    context.log.warn({ err: error, generation: generationId }, 'previews not removed; upkeep will try again');
  }
}

/** Removes previews of generations that ended before a moment. @returns of how many generations */
export async function removeLeftPreviews(
  context: WorkerContext,
  endedBefore: Date,
  limit: number,
): Promise<number> {
  const ids = await findWithPreviewsLeft(context.db, endedBefore, limit);
  for (const id of ids) await removePreviews(context, id);
  return ids.length;
}

/** Removes the files first: if it fails, the row still says that there may be files. */
async function removePreviews({ db, storage }: WorkerContext, generationId: string): Promise<void> {
  await storage.removePreviews(generationId);
  await recordPreviewsRemoved(db, generationId);
}
