/** A product cut out of its photo, with what the photo says about how it was standing or lying there. */
import { type Cutout, cutProduct } from '../../../../shared/cutout/cutout.ts';
import { liesFlat, measureLying } from './lies-flat.ts';

/** A cut-out product that can be staged. */
export interface Subject extends Cutout {
  /** It lies flat and was photographed from above. */
  isLying: boolean;
}

/**
 * Cuts out one photo. The same bytes give the same subject.
 * @throws UncuttableError; sharp's error when the bytes are not an image
 */
export async function cutSubject(photo: Uint8Array): Promise<Subject> {
  const cutout = await cutProduct(photo);
  return { ...cutout, isLying: liesFlat(await measureLying(photo, cutout)) };
}
