/** Renders an image from photos and a description; the steps are in order of execution. */
import { type Cutout, cutProduct, UncuttableError } from '../cutout/cutout.ts';
import type { RenderJob } from '../renderer.ts';
import { readFraming } from './description/framing.ts';
import { seedOf } from './noise.ts';
import type { RenderProgress } from './partial-images.ts';
import { stageProducts } from './stage-products.ts';
import { takeOf } from './take.ts';

/**
 * Renders one image. The same job gives the same pixels.
 * @throws when cancelled; UncuttableError when no product can be cut out of the photos, or out of one of several
 * products' photos; sharp's error when a photo cannot be decoded
 */
export async function renderImage(job: RenderJob, progress: RenderProgress): Promise<Uint8Array> {
  const cutouts: Cutout[] = [];
  let refused: UncuttableError | undefined;
  for (const image of job.images) {
    try {
      cutouts.push(await cutProduct(image));
    } catch (error) {
      if (!(error instanceof UncuttableError)) throw error;
      refused ??= error;
    }
    if (progress.isCancelled()) throw new Error('cancelled');
  }
  // Of several views of one product, one usable view is enough: a close-up of a detail can never be cut out.
  const needsAll = readFraming(job.prompt).severalProducts;
  if (refused !== undefined && (needsAll || cutouts.length === 0)) throw refused;
  return stageProducts(
    cutouts,
    job,
    takeOf(seedOf(job.prompt, ...job.images, `${job.variant}`, `${job.seed}`), job),
    progress,
  );
}
