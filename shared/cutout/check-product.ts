/** What stands in the way of cutting out a product, and a small cutout of it. */
import type { CutoutWarning } from '#shared/contract/photo-check.ts';
import { photoCheckLimits } from '#shared/contract/photo-checks.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { leastConfidence } from './confidence.ts';
import { findProduct, touchesOf, UncuttableError } from './cutout.ts';
import { isHeld } from './hand.ts';
import { cutWithMatte } from './matte.ts';
import {
  cropPixels,
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

/** What was found in a photo. */
export interface CheckedProduct {
  warnings: CutoutWarning[];
  /** The product without its background, cropped to it, as WebP; null if it was not asked for, or cannot be cut out. */
  cutout: Uint8Array | null;
}

/**
 * Checks a photo.
 * @param bytes a small copy, or a photo as it is stored
 * @param drawsCutout whether the product is cut out as well
 * @returns null if they are no photo, or one that is too large to be a copy
 */
export async function checkProduct(bytes: Uint8Array, drawsCutout = false): Promise<CheckedProduct | null> {
  const photo = await readCopy(bytes);
  if (photo === null) return null;
  if (hasCutAlpha(photo)) {
    return {
      warnings: isTouched(photo) ? ['cut-off'] : [],
      cutout: drawsCutout ? await encodeCutout(photo) : null,
    };
  }
  const opaque = flattenOnWhite(photo);
  try {
    const { location, crop, refined, confidence } = await findProduct(opaque);
    const cut = withAlpha(refined.mask);
    const visible = visibleBox(cut);
    if (visible === undefined) return inseparable;
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
    const isCut = confidence >= leastConfidence;
    return {
      warnings,
      cutout: isCut && drawsCutout ? await encodeCutout(cutWithMatte(crop, refined)) : null,
    };
  } catch (error) {
    if (error instanceof UncuttableError) return inseparable;
    throw error;
  }
}

const inseparable: CheckedProduct = { warnings: ['background'], cutout: null };

async function encodeCutout(cut: Pixels): Promise<Uint8Array | null> {
  const visible = visibleBox(cut);
  if (visible === undefined) return null;
  const { data, width, height } = cropPixels(cut, visible);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .resize(photoCheckLimits.cutoutSide, photoCheckLimits.cutoutSide, {
      fit: 'inside',
      withoutEnlargement: true,
    })
    .webp({ quality: 82, effort: 2 })
    .toBuffer();
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
