/** What stands in the way of cutting out a product, found without drawing the cutout. */
import type { CutoutWarning } from '#shared/contract/photo-check.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { leastConfidence } from './confidence.ts';
import { findProduct, touchesOf, UncuttableError } from './cutout.ts';
import { isHeld } from './hand.ts';
import {
  decodePhoto,
  flattenOnWhite,
  hasCutAlpha,
  type Mask,
  type Pixels,
  touchedSides,
  visibleBox,
} from './pixels.ts';

/** A photo is reduced to this side: the mask is drawn at less. */
const checkedSide = 640;
/** The product's long side, as a fraction of the photo's, below which too few of its pixels are left. */
const leastShare = 0.06;
/** More pixels than any copy or stored photo has: the bytes may say that they are billions. */
const mostPixels = 2_048 * 2_048;

/**
 * Checks a photo.
 * @param bytes a small copy, or a photo as it is stored
 * @returns null if they are no photo, or one that is too large to be a copy
 */
export async function checkProduct(bytes: Uint8Array): Promise<CutoutWarning[] | null> {
  const photo = await readCopy(bytes);
  if (photo === null) return null;
  if (hasCutAlpha(photo)) return isTouched(photo) ? ['cut-off'] : [];
  const opaque = flattenOnWhite(photo);
  try {
    const { location, refined, confidence } = await findProduct(opaque);
    const cut = withAlpha(refined.mask);
    const visible = visibleBox(cut);
    if (visible === undefined) return ['background'];
    const touches = touchesOf(touchedSides(cut), location.box, opaque);
    const long = Math.max(
      (visible.width / cut.width) * location.box.width,
      (visible.height / cut.height) * location.box.height,
    );
    const warnings: CutoutWarning[] = [];
    if (confidence < leastConfidence) warnings.push('background');
    if (Object.values(touches).includes(true)) warnings.push('cut-off');
    if (await isHeld(opaque, location, refined.mask)) warnings.push('held');
    if (long < leastShare * Math.max(opaque.width, opaque.height)) warnings.push('distant');
    return warnings;
  } catch (error) {
    if (error instanceof UncuttableError) return ['background'];
    throw error;
  }
}

async function readCopy(bytes: Uint8Array): Promise<Pixels | null> {
  try {
    const { width, height } = await sharp(bytes).metadata();
    return width * height > mostPixels ? null : await decodePhoto(bytes, checkedSide);
  } catch {
    return null;
  }
}

function isTouched(photo: Pixels): boolean {
  return Object.values(touchedSides(photo)).includes(true);
}

/** Pixels without a colour, with a mask as their alpha. */
function withAlpha({ width, height, data }: Mask): Pixels {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (const [index, value] of data.entries()) pixels[index * 4 + 3] = value;
  return { width, height, data: pixels };
}
