/** The render thread: processes jobs one after another and reports partial and final images. */
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { loadCutter, UncuttableError } from './cutout/cutout.ts';
import type { PhotoProblem } from './photo-error.ts';
import { renderImage } from './scene/render.ts';
import type { RenderOrder, RenderReport } from './worker-renderer.ts';

const port = parentPort;
if (port === null) throw new Error('render-worker.ts runs as a worker thread only');

// Loaded in advance, so that the first job does not have to wait.
await loadCutter();

port.on('message', async ({ id, job, cancelled }: RenderOrder) => {
  const report = (message: RenderReport): void => port.postMessage(message);
  try {
    const image = await renderImage(job, {
      onPartial: (partial) => report({ id, kind: 'partial', image: partial }),
      isCancelled: () => Atomics.load(cancelled, 0) === 1,
    });
    report({ id, kind: 'finished', image });
  } catch (error) {
    const photoProblem = await photoProblemOf(error, job.images);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ id, kind: 'failed', message, photoProblem });
  }
});

/** The problem with the photos if they caused the error; undefined for an internal error. */
async function photoProblemOf(
  error: unknown,
  photos: readonly Uint8Array[],
): Promise<PhotoProblem | undefined> {
  if (error instanceof UncuttableError) return error.reason;
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
