/** Cuts the product out of a photo: by its alpha, its uniform backdrop, or GrabCut; as a card when all fail. */
import { gaussianBlur } from './boxblur.ts';
import { contourContrast } from './contour.ts';
import { grabCut, grabCutByVote, trimap } from './grabcut.ts';
import { cutWithMatte } from './matte.ts';
import {
  coverage,
  createMask,
  decodePhoto,
  intersectionOverUnion,
  type Mask,
  type Pixels,
  resizeMask,
  resizePixels,
  softenPixels,
} from './pixels.ts';
import { fillHoles, keepMainRegions } from './regions.ts';
import {
  type Backdrop,
  cutFromBackdrop,
  distanceToBackdrop,
  findUniformBackdrop,
  isDistinct,
} from './uniform.ts';

/** A product freed from its background, cropped to what can be seen of it. */
export interface Cutout {
  pixels: Pixels;
  /** How it was cut. A card is the whole photo with rounded corners, to be stood in the scene like a print. */
  method: 'alpha' | 'backdrop' | 'grabcut' | 'card';
}

/** Of the photos tried, good cuts had 0.77 and more, a cut through a clear sky 0.53. */
const smallestContourContrast = 0.64;
/** How far the product may reach, in three guesses: where its outline is clear, they all lead to the same cut. */
const guessedReaches = [0.8, 1, 1.15];
/** Of the photos tried, cuts of one thing had 0.98 and more, a face, a rocket and a busy desk 0.61, 0.48 and 0.32. */
const smallestAgreement = 0.85;
const longestPhotoSide = 1200;
/** Before an unknown background three cuts are made, so they are made smaller. */
const longestVoteSide = 320;
const longestCutSide = 440;

/**
 * Cuts one photo.
 * @throws sharp's error when the bytes are not an image
 */
export async function cutProduct(bytes: Uint8Array): Promise<Cutout> {
  const photo = await decodePhoto(bytes, longestPhotoSide);
  if (hasCutAlpha(photo)) return { pixels: cropToAlpha(photo), method: 'alpha' };
  const { mask, method } = await findProduct(photo);
  if (method === 'card') return { pixels: asCard(photo), method };
  return { pixels: cropToAlpha(await cutWithMatte(photo, mask)), method };
}

/** The hard mask of the product at reduced size, and how it was found; exported for the tests. */
export async function findProduct(photo: Pixels): Promise<{ mask: Mask; method: Cutout['method'] }> {
  const scale = Math.min(1, longestCutSide / Math.max(photo.width, photo.height));
  const width = Math.max(1, Math.round(photo.width * scale));
  const height = Math.max(1, Math.round(photo.height * scale));
  if (Math.min(width, height) < 16) return { mask: createMask(width, height, 255), method: 'card' };
  const small = await resizePixels(photo, width, height);
  const backdrop = findUniformBackdrop(small);
  if (backdrop !== undefined) {
    const mask = await cutBeforeBackdrop(small, backdrop);
    if (isPlausible(mask)) return { mask, method: 'backdrop' };
    // Nothing but backdrop: there are no colours for GrabCut to tell apart.
    if (coverage(mask) < 0.002) return { mask: createMask(width, height, 255), method: 'card' };
  }
  const less = Math.min(1, longestVoteSide / Math.max(width, height));
  const smaller = await resizePixels(small, Math.round(width * less), Math.round(height * less));
  const hints = guessedReaches.map((reach) => centralHints(smaller.width, smaller.height, reach));
  const vote = await grabCutByVote(smaller, hints, 3);
  const mask = tidy(vote.mask);
  const trusted =
    vote.agreement > smallestAgreement && contourContrast(smaller, mask) > smallestContourContrast;
  if (trusted && isPlausible(mask)) return { mask, method: 'grabcut' };
  return { mask: createMask(width, height, 255), method: 'card' };
}

async function cutBeforeBackdrop(small: Pixels, backdrop: Backdrop): Promise<Mask> {
  // Without the camera's noise, which would break up even shadows.
  const raw = cutFromBackdrop(await softenPixels(small), backdrop);
  // Only a product that differs clearly from the backdrop can have openings through which it is seen.
  const distinct = (share: number) => isDistinct(small, backdrop, raw, share);
  // The less it differs, the deeper the flood runs into it, and the wider the notches that have to be closed again.
  const flooded = distinct(0.8) ? tidy(raw, 0.004) : distinct(0.4) ? tidy(raw) : tidy(raw, 1, 0.035);
  if (!isPlausible(flooded)) return flooded;
  const inner = gaussianBlur(Float32Array.from(flooded.data), small.width, small.height, 3);
  const hints = Uint8Array.from(inner, (value, index) => {
    if (value < 3) return trimap.background;
    // Taken for shadow: GrabCut, which knows colours only, would take it back.
    if (raw.data[index] === 0 && distanceToBackdrop(small, backdrop, index) > 14) return trimap.background;
    if (value > 250) return trimap.product;
    return distanceToBackdrop(small, backdrop, index) > 60
      ? trimap.probablyProduct
      : trimap.probablyBackground;
  });
  const refined = tidy(await grabCut(small, hints, 1), 0.02);
  // A product of nearly the backdrop's colour has no colours of its own: GrabCut then eats it.
  return intersectionOverUnion(flooded, refined) > 0.93 ? refined : flooded;
}

/**
 * Without a known backdrop: the frame is background, the very middle the product, an ellipse probably.
 * @param guessed size of the ellipse; 1 reaches over three quarters of the width
 */
function centralHints(width: number, height: number, guessed: number): Uint8Array {
  const hints = new Uint8Array(width * height);
  const frame = Math.min(width, height) * 0.015 + 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const reach = Math.hypot(((x + 0.5) / width - 0.5) / 0.375, ((y + 0.5) / height - 0.5) / 0.425);
      let hint: number = trimap.probablyBackground;
      if (Math.min(x, y, width - 1 - x, height - 1 - y) < frame) hint = trimap.background;
      else if (reach < 0.25) hint = trimap.product;
      else if (reach < guessed) hint = trimap.probablyProduct;
      hints[y * width + x] = hint;
    }
  }
  return hints;
}

/** Closes notches, fills holes that are reflections rather than openings, drops specks and smooths the outline. */
function tidy(mask: Mask, largestHole = 0.06, closing = 0.012): Mask {
  const { width, height } = mask;
  const size = Math.max(width, height);
  const solid = fillHoles(keepMainRegions(mask, 0.12), largestHole);
  const closed = threshold(spread(solid, size * closing, 0.06), width, height, size * closing, 0.94);
  const smoothed = threshold(closed, width, height, size * 0.01, 0.5);
  return fillHoles(keepMainRegions({ width, height, data: smoothed }, 0.12), largestHole);
}

/** Grows the mask: every pixel of which at least `share` of the surroundings is the product. */
function spread(mask: Mask, sigma: number, share: number): Uint8Array {
  return threshold(mask.data, mask.width, mask.height, sigma, share);
}

function threshold(
  data: Uint8Array,
  width: number,
  height: number,
  sigma: number,
  share: number,
): Uint8Array {
  const blurred = gaussianBlur(Float32Array.from(data), width, height, sigma);
  return Uint8Array.from(blurred, (value) => (value > share * 255 ? 255 : 0));
}

/** A mask of nearly nothing or nearly everything is no product. */
function isPlausible(mask: Mask): boolean {
  const share = coverage(mask);
  return share > 0.015 && share < 0.9 && shareOfFrame(mask) < 0.45;
}

/** How much of the picture's frame the product runs into; what fills the frame is not a thing but a view. */
function shareOfFrame({ width, height, data }: Mask): number {
  const inset = Math.ceil(Math.min(width, height) * 0.06) + 1;
  let covered = 0;
  for (let x = 0; x < width; x += 1)
    covered += (data[inset * width + x]! >> 7) + (data[(height - 1 - inset) * width + x]! >> 7);
  for (let y = 0; y < height; y += 1)
    covered += (data[y * width + inset]! >> 7) + (data[y * width + width - 1 - inset]! >> 7);
  return covered / (2 * (width + height));
}

function hasCutAlpha(photo: Pixels): boolean {
  let clear = 0;
  let seen = 0;
  for (let index = 3; index < photo.data.length; index += 4) {
    if (photo.data[index]! < 16) clear += 1;
    else if (photo.data[index]! > 64) seen += 1;
  }
  const count = photo.data.length / 4;
  return clear / count > 0.02 && seen / count > 0.005;
}

/** Crops to the pixels that can be seen. */
function cropToAlpha(pixels: Pixels): Pixels {
  const { width, height, data } = pixels;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[(y * width + x) * 4 + 3]! < 40) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < left) return pixels;
  const cropped = new Uint8ClampedArray((right - left + 1) * (bottom - top + 1) * 4);
  for (let y = top; y <= bottom; y += 1) {
    const row = data.subarray((y * width + left) * 4, (y * width + right + 1) * 4);
    cropped.set(row, (y - top) * (right - left + 1) * 4);
  }
  return { width: right - left + 1, height: bottom - top + 1, data: cropped };
}

/** The whole photo as a print with a white border and slightly rounded, soft corners. */
function asCard(photo: Pixels): Pixels {
  const border = Math.round(Math.max(photo.width, photo.height) * 0.035);
  const width = photo.width + 2 * border;
  const height = photo.height + 2 * border;
  const radius = border * 0.5;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const to = (y * width + x) * 4;
      const from = ((y - border) * photo.width + (x - border)) * 4;
      const inPhoto = x >= border && y >= border && x < width - border && y < height - border;
      const opacity = inPhoto ? photo.data[from + 3]! / 255 : 0;
      for (let channel = 0; channel < 3; channel += 1) {
        data[to + channel] = 250 + ((inPhoto ? photo.data[from + channel]! : 250) - 250) * opacity;
      }
      const dx = Math.max(0, radius - x - 0.5, x + 0.5 - (width - radius));
      const dy = Math.max(0, radius - y - 0.5, y + 0.5 - (height - radius));
      data[to + 3] = Math.round(255 * Math.min(1, Math.max(0, radius - Math.hypot(dx, dy) + 0.5)));
    }
  }
  return { width, height, data };
}

/** A small mask at another size, hard again; for comparing masks. */
export async function hardMaskAt(mask: Mask, width: number, height: number): Promise<Mask> {
  const scaled = await resizeMask(mask, width, height);
  return { width, height, data: scaled.data.map((value) => (value > 127 ? 255 : 0)) };
}
