import { findBackground, usualWhite, type WhiteLevel, whiten } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import type { Rectangle } from './export-frame.ts';
import { addSpecks } from './export-specks.ts';

/** What was found out about the background of an image. */
export interface ExportBackground {
  /** Whether the whole border is nearly white. Otherwise the background is a scene and stays as it is. */
  isWhite: boolean;
  /** Fraction of it that was pure white; of a scene, fraction of the border that is nearly white. */
  share: number;
}

/**
 * Makes a nearly white background pure white, in place.
 * @param pixels without transparency
 * @returns where the product is: all that is not background; null in front of a scene, and if there is nothing
 */
export function whitenForExport(pixels: EditPixels): ExportBackground & { product: Rectangle | null } {
  const { data, width, height } = pixels;
  const border = borderOf(pixels);
  const level = levelOf(data, border);
  const background = findBackground(pixels, level);
  const nearlyWhite = border.filter((pixel) => background[pixel]).length;
  if (nearlyWhite < border.length)
    return { isWhite: false, share: nearlyWhite / border.length, product: null };
  addSpecks(background, width);
  let [all, pure] = [0, 0];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let pixel = 0; pixel < background.length; pixel += 1) {
    if (background[pixel]) {
      all += 1;
      if (isPureWhite(data, pixel)) pure += 1;
      continue;
    }
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  whiten(pixels, background, level);
  const product = right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
  return { isWhite: true, share: pure / all, product };
}

/** How much darker, and how much more coloured, than the border the background may be. */
const [darkerMost, chromaMore] = [10, 4];

/**
 * What counts as background: about as white as the border. The usual level would take light parts of a product, such as
 * a cream rim, for background, and cut a soft shadow off.
 */
function levelOf(data: Uint8ClampedArray, border: readonly number[]): WhiteLevel {
  let [darkest, chroma] = [255, 0];
  for (const pixel of border) {
    const channels = data.subarray(pixel * 4, pixel * 4 + 3);
    const least = Math.min(...channels);
    darkest = Math.min(darkest, least);
    chroma = Math.max(chroma, Math.max(...channels) - least);
  }
  return {
    lightLeast: Math.max(usualWhite.lightLeast, darkest - darkerMost),
    chromaMost: Math.min(usualWhite.chromaMost, chroma + chromaMore),
  };
}

/** Whether all pixels on the border of an image without transparency are pure white. */
export function hasWhiteBorder(pixels: EditPixels): boolean {
  return borderOf(pixels).every((pixel) => isPureWhite(pixels.data, pixel));
}

function isPureWhite(data: Uint8ClampedArray, pixel: number): boolean {
  const at = pixel * 4;
  return data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255;
}

function borderOf({ width, height }: EditPixels): number[] {
  const across = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const down = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  return [...across, ...down].flat();
}
