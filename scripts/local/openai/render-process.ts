/** The render process: does jobs one after another, reports partial and final images, and ends with the server. */
import sharp from 'sharp';
import { checkProduct } from '../../../shared/cutout/check-product.ts';
import { loadCutter, UncuttableError } from '../../../shared/cutout/cutout.ts';
import { modelOfArguments } from '../../../shared/cutout/model-arguments.ts';
import type { PhotoProblem } from '../../../shared/cutout/photo-problem.ts';
import type { RenderOrder, RenderReport } from './process-renderer.ts';
import type { RenderJob } from './renderer.ts';
import { renderImage } from './scene/render.ts';

// A regular exit would wait for native code.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C in a terminal reaches this process too, but the server first finishes its requests.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

/** Jobs whose images are no longer needed, until they have stopped. */
const cancelled = new Set<number>();

// In advance, so that the first job does not have to wait.
const loading = loadCutter(modelOfArguments(process.argv));

process.on('message', (order: RenderOrder) => {
  if ('cancelled' in order) cancelled.add(order.cancelled);
  else void render(order.id, order.job);
});

async function render(id: number, job: RenderJob): Promise<void> {
  // With a callback, a channel that has just closed throws no error.
  const report = (message: RenderReport): void => void process.send?.(message, () => {});
  try {
    await loading;
    const image = await renderImage(job, {
      onPartial: (partial) => report({ id, kind: 'partial', image: partial }),
      isCancelled: () => cancelled.has(id),
    });
    report({ id, kind: 'finished', image });
  } catch (error) {
    const photoProblem = await photoProblemOf(error, job.images);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const photo = error instanceof UncuttableError ? error.photo : undefined;
    report({ id, kind: 'failed', message, photoProblem, photo });
  }
  cancelled.delete(id);
}

/** The problem with the photos if they caused the error; undefined for an internal error. */
async function photoProblemOf(
  error: unknown,
  photos: readonly Uint8Array[],
): Promise<PhotoProblem | undefined> {
  if (error instanceof UncuttableError) {
    if (error.reason !== 'inseparable') return error.reason;
    const warnings = await warningsOf(photos[(error.photo ?? 1) - 1]!);
    // A hand or the frame is what stands in the way, and what the seller can change.
    if (warnings.includes('held')) return 'held';
    return warnings.includes('cut-off') ? 'cropped' : 'inseparable';
  }
  // For corrupt files sharp throws errors without a code, so the photos are decoded again to find out.
  for (const photo of photos) {
    try {
      await sharp(photo).stats();
    } catch {
      return 'unreadable';
    }
  }
  return undefined;
}

/** What stands in the way of cutting out a photo. */
async function warningsOf(photo: Uint8Array) {
  const copy = await sharp(photo).rotate().resize(640, 640, { fit: 'inside' }).jpeg().toBuffer();
  return (await checkProduct(copy))?.warnings ?? [];
}
