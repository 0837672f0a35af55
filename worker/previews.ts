import sharp from 'sharp';
import { limits } from '#contract';
import { isOver } from '#shared/data/generations/end.ts';
import { findWithPreviewsLeft, notePreviewsRemoved } from '#shared/data/generations/stored-previews.ts';
import type { WorkerContext } from './context.ts';

/** A preview is shown for seconds: the usual effort would take twice as long for a quarter fewer bytes. */
const leastEffort = 0;

/**
 * Makes the preview that a seller is shown of what the provider sent: small, so that it is no image for nothing.
 * @returns WebP
 * @throws when the bytes are no image
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
 * Removes the previews of a generation if it has ended. Its attempts call it when they write no more; what one that
 * died leaves behind upkeep removes.
 */
export async function removePreviewsOfEnded(context: WorkerContext, generationId: string): Promise<void> {
  try {
    if (!(await isOver(context.db, generationId))) return;
    await removePreviews(context, generationId);
  } catch (error) {
    context.log.warn({ err: error, generation: generationId }, 'previews not removed; upkeep will try again');
  }
}

/** Removes the previews that are left of generations which ended before a moment. @returns of how many generations */
export async function removeLeftPreviews(
  context: WorkerContext,
  endedBefore: Date,
  most: number,
): Promise<number> {
  const ids = await findWithPreviewsLeft(context.db, endedBefore, most);
  for (const id of ids) await removePreviews(context, id);
  return ids.length;
}

/** The files first: until they are gone the row says that they may be there. */
async function removePreviews({ db, storage }: WorkerContext, generationId: string): Promise<void> {
  await storage.removePreviews(generationId);
  await notePreviewsRemoved(db, generationId);
}
