/** What stands in the way of cutting out a product, and a small cutout of it. */
import { createHash } from 'node:crypto';
import { limits } from '#shared/contract/limits.ts';
import type { CutoutWarning } from '#shared/contract/photo-check.ts';
import { photoCheckLimits } from '#shared/contract/photo-checks.ts';
import { createRecent } from '#shared/platform/recent.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { leastConfidence } from './confidence.ts';
import { type Found, findProduct, touchesOf, UncuttableError } from './cutout.ts';
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

/** What is asked about a photo. */
export interface ProductQuestions {
  /** Whether the product is cut out as well; not unless given. */
  cutout?: boolean;
  /** Whether a hand is looked for, which takes up to half as long again; it is unless given. */
  hands?: boolean;
}

/** The product that was found in a photo; null if there is none that can be cut out. */
type Product = { opaque: Pixels; found: Found } | null;

/** The cutouts of a form's photos are asked for first, and then whether hands hold them. Each takes about 6 MB. */
const recent = createRecent<Product>(limits.photos);

/**
 * Checks a photo. What was found is remembered for the next question about it.
 * @param bytes a small copy, or a photo as it is stored
 * @returns null if they are no photo, or one that is too large to be a copy
 */
export async function checkProduct(
  bytes: Uint8Array,
  { cutout: drawsCutout = false, hands: looksForHands = true }: ProductQuestions = {},
): Promise<CheckedProduct | null> {
  const photo = await readCopy(bytes);
  if (photo === null) return null;
  if (hasCutAlpha(photo)) {
    return {
      warnings: isTouched(photo) ? ['cut-off'] : [],
      cutout: drawsCutout ? await encodeCutout(photo) : null,
    };
  }
  const key = createHash('sha256').update(bytes).digest('base64');
  const product = await recent(key, () => productOf(flattenOnWhite(photo)));
  if (product === null) return inseparable;
  const { opaque, found } = product;
  const { location, crop, refined, confidence } = found;
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
  if (looksForHands && (await isHeld(opaque, location, refined.mask))) warnings.push('held');
  if (long < leastShare * Math.max(opaque.width, opaque.height)) warnings.push('distant');
  const isCut = confidence >= leastConfidence;
  return {
    warnings,
    cutout: isCut && drawsCutout ? await encodeCutout(cutWithMatte(crop, refined)) : null,
  };
}

async function productOf(opaque: Pixels): Promise<Product> {
  try {
    return { opaque, found: await findProduct(opaque) };
  } catch (error) {
    if (error instanceof UncuttableError) return null;
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
