import { findBackground, whiten } from '#contract/edit-background.ts';
import type { EditPixels } from '#contract/edit-pixels.ts';
import type { Rectangle } from './export-frame.ts';

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
  const background = findBackground(pixels);
  const border = borderOf(pixels);
  const nearlyWhite = border.filter((pixel) => background[pixel]).length;
  if (nearlyWhite < border.length)
    return { isWhite: false, share: nearlyWhite / border.length, product: null };
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
  whiten(pixels, background);
  const product = right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
  return { isWhite: true, share: pure / all, product };
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
