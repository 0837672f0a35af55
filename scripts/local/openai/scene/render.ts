/** One image from photos and a description, read top to bottom in the order in which it comes into being. */
import { type Cutout, cutProduct } from '../cutout/cutout.ts';
import type { RenderJob } from '../renderer.ts';
import { seedOf } from './noise.ts';
import { stageProducts } from './stage-products.ts';

/** What the renderer tells and asks while it works. */
export interface RenderProgress {
  /** Takes an encoded earlier stage of the image. */
  onPartial(image: Uint8Array): void;
  /** True when nobody wants the image any more. */
  isCancelled(): boolean;
}

/**
 * Renders one image. The same job gives the same pixels.
 * @throws when cancelled; UncuttableError when no product can be cut out of a photo; sharp's error when a photo cannot
 * be decoded
 */
export async function renderImage(job: RenderJob, progress: RenderProgress): Promise<Uint8Array> {
  const cutouts: Cutout[] = [];
  for (const image of job.images) {
    cutouts.push(await cutProduct(image));
    if (progress.isCancelled()) throw new Error('cancelled');
  }
  const seed = seedOf(job.prompt, ...job.images, String(job.variant));
  return stageProducts(cutouts, job, seed, progress);
}
