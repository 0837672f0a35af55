import { limits } from './limits.ts';

/**
 * What can spoil the image although the photo can be used: its short side has fewer pixels than `photoSideGood`, it is out
 * of focus or shaken, or it is very dark; and what only the cutout finds (shared/cutout/check-product.ts): the product cannot
 * be told from its background, is tiny, touches the frame, or is held in a hand.
 */
export const cutoutWarnings = ['background', 'distant', 'cut-off', 'held'] as const;
export type CutoutWarning = (typeof cutoutWarnings)[number];
export const photoWarnings = ['small', 'blurry', 'dark', ...cutoutWarnings] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

/** For a photo as iPhones store it, which neither most browsers nor the server can open. */
export const heicMessage =
  "One of the photos is in the HEIC format, which can't be opened here. Please export it as JPEG.";

/** For a photo of which almost nothing would be left when its long side has `photoSide` pixels. */
export const stripMessage = `One of the photos is more than ${limits.photoSideRatio} times as long as it is wide. Please crop it and try again.`;

/**
 * Why a photo of this size is refused. The browser and the server use it, so that both say the same.
 * @returns null if it is not; the message of the code unless it has one
 */
export function photoSizeFault(
  width: number,
  height: number,
): { code: 'IMAGE_TOO_SMALL' | 'TOO_MANY_PIXELS'; message?: string } | null {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < limits.photoSideLeast) return { code: 'IMAGE_TOO_SMALL' };
  if (long > short * limits.photoSideRatio) return { code: 'IMAGE_TOO_SMALL', message: stripMessage };
  return width * height > limits.photoPixels ? { code: 'TOO_MANY_PIXELS' } : null;
}

/** Pixels of a photo, row by row; its channels begin with red, green and blue, or are the luma alone. */
export interface Pixels {
  data: ArrayLike<number>;
  width: number;
  height: number;
  channels: number;
}

/** Longest side in pixels to which a photo is reduced before its pixels are checked. */
export const checkedSide = 1_024;

/** A grid of this many tiles per side: the sharpest tiles count, because a plain background is never sharp. */
const tilesPerSide = 16;
/** Rank of the tile that is compared, among all tiles from the sharpest one down. */
const comparedTile = 12;
/**
 * Variance of the Laplacian that this tile has at least in a sharp photo whose brightest parts have a luma of 200; it grows
 * with the square of that. The sample products have 169 and more, and at most 17 with a blur of four pixels.
 */
const leastVariance = 60;
/** The brightest parts: the luma, 0 to 255, that only this part of all pixels exceeds; below 50 a photo is very dark. */
const brightestPart = 0.05;
const darkLuma = 50;

/** The size of a photo as it is stored, when its longest side is limited. */
export function storedSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, limits.photoSide / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/**
 * Checks a photo. The browser and the server use it, so that both say the same.
 * @param size of the photo as it is stored
 * @param pixels of the photo, reduced to {@link checkedSide}
 */
export function checkPhoto(size: { width: number; height: number }, pixels: Pixels): PhotoWarning[] {
  const luma = pixels.channels === 1 ? pixels.data : lumaOf(pixels);
  const brightest = brightestOf(luma);
  const warnings: PhotoWarning[] = [];
  if (Math.min(size.width, size.height) < limits.photoSideGood) warnings.push('small');
  if (brightest < darkLuma) warnings.push('dark');
  // In the dark there are no edges to judge.
  else if (isBlurry(luma, pixels, leastVariance * (brightest / 200) ** 2)) warnings.push('blurry');
  return warnings;
}

/** Weights of red, green and blue in the luma of a pixel. */
const lumaWeights = [0.299, 0.587, 0.114] as const;

/** The luma of each pixel, 0 to 255. */
export function lumaOf({ data, width, height, channels }: Pixels): Uint8Array {
  const [red, green, blue] = lumaWeights;
  const luma = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel += 1, at += channels) {
    luma[pixel] = red * data[at]! + green * data[at + 1]! + blue * data[at + 2]!;
  }
  return luma;
}

/** The luma of the brightest parts. */
function brightestOf(luma: ArrayLike<number>): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < luma.length; at += 1) counts[luma[at]!]! += 1;
  let brighter = 0;
  for (let value = 255; value > 0; value -= 1) {
    brighter += counts[value]!;
    if (brighter >= luma.length * brightestPart) return value;
  }
  return 0;
}

function isBlurry(luma: ArrayLike<number>, { width, height }: Pixels, least: number): boolean {
  const tileWidth = Math.floor((width - 2) / tilesPerSide);
  const tileHeight = Math.floor((height - 2) / tilesPerSide);
  // Too few pixels to tell.
  if (tileWidth < 4 || tileHeight < 4) return false;
  const variances: number[] = [];
  for (let tile = 0; tile < tilesPerSide ** 2; tile += 1) {
    const left = 1 + (tile % tilesPerSide) * tileWidth;
    const top = 1 + Math.floor(tile / tilesPerSide) * tileHeight;
    variances.push(laplacianVariance(luma, width, { left, top, width: tileWidth, height: tileHeight }));
  }
  return variances.sort((a, b) => b - a)[comparedTile]! < least;
}

/** Variance of the Laplacian (each pixel compared with its four neighbours) in a part of an image. */
function laplacianVariance(
  luma: ArrayLike<number>,
  rowLength: number,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): number {
  let sum = 0;
  let sumOfSquares = 0;
  for (let y = top; y < top + height; y += 1) {
    for (let x = left; x < left + width; x += 1) {
      const at = y * rowLength + x;
      const value =
        4 * luma[at]! - luma[at - 1]! - luma[at + 1]! - luma[at - rowLength]! - luma[at + rowLength]!;
      sum += value;
      sumOfSquares += value * value;
    }
  }
  const count = width * height;
  return sumOfSquares / count - (sum / count) ** 2;
}
