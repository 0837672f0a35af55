/** A product cut out of its photo, with what the photo says about how it was standing or lying there. */
import { type Cutout, cutProduct, UncuttableError } from '../../../../shared/cutout/cutout.ts';
import { isHeld } from '../../../../shared/cutout/hand.ts';
import { decodePhoto, flattenOnWhite, hasCutAlpha, type Mask } from '../../../../shared/cutout/pixels.ts';
import { liesFlat, measureLying } from './lies-flat.ts';

/** A cut-out product that can be staged. */
export interface Subject extends Cutout {
  /** It lies flat and was photographed from above. */
  isLying: boolean;
}

/** Hands are looked for in a photo of this size. */
const checkedSide = 640;

/**
 * Cuts out one photo. The same bytes give the same subject.
 * @throws UncuttableError, also when a hand holds the product: what it hides is missing, and fingers would stay;
 * sharp's error when the bytes are not an image
 */
export async function cutSubject(photo: Uint8Array): Promise<Subject> {
  const cutout = await cutProduct(photo);
  if (await showsHand(photo, cutout)) throw new UncuttableError('held');
  return { ...cutout, isLying: liesFlat(await measureLying(photo, cutout)) };
}

async function showsHand(bytes: Uint8Array, { pixels, box, photoSide }: Cutout): Promise<boolean> {
  const photo = await decodePhoto(bytes, Math.min(checkedSide, photoSide));
  if (hasCutAlpha(photo)) return false;
  const factor = Math.max(photo.width, photo.height) / photoSide;
  const [left, top, width, height] = [box.left, box.top, box.width, box.height].map(
    (value) => value * factor,
  ) as [number, number, number, number];
  const mask: Mask = {
    width: pixels.width,
    height: pixels.height,
    data: new Uint8Array(box.width * box.height),
  };
  for (let index = 0; index < mask.data.length; index += 1) {
    mask.data[index] = pixels.data[index * 4 + 3]! > 127 ? 255 : 0;
  }
  return isHeld(flattenOnWhite(photo), { box: { left, top, width, height } }, mask);
}
