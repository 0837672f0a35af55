/** Measures the visible pixels of an image with alpha: extent, contact with the frame, amount of detail. */
import { type Box, type Pixels, resizePixels } from './pixels.ts';

/** Sides of a frame that the product touches. */
export interface Touches {
  left: boolean;
  top: boolean;
  right: boolean;
  bottom: boolean;
}

/** Whether the photo has an alpha channel that leaves part of it transparent. */
export function hasCutAlpha(photo: Pixels): boolean {
  let clear = 0;
  let seen = 0;
  for (let index = 3; index < photo.data.length; index += 4) {
    if (photo.data[index]! < 16) clear += 1;
    else if (photo.data[index]! > 64) seen += 1;
  }
  const count = photo.data.length / 4;
  return clear / count > 0.02 && seen / count > 0.005;
}

/** The photo on a white background. */
export function flattenOnWhite(photo: Pixels): Pixels {
  const data = new Uint8ClampedArray(photo.data.length);
  for (let index = 0; index < data.length; index += 4) {
    const opacity = photo.data[index + 3]! / 255;
    for (let channel = 0; channel < 3; channel += 1) {
      data[index + channel] = 255 + (photo.data[index + channel]! - 255) * opacity;
    }
    data[index + 3] = 255;
  }
  return { ...photo, data };
}

/** The smallest box around the visible pixels; undefined when there are none. */
export function visibleBox({ width, height, data }: Pixels): Box | undefined {
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
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The shortest contact with a side of the frame that counts, as a share of that side. */
const shortestRun = 0.015;

/** The sides on whose outermost pixels the product lies. */
export function touchedSides({ width, height, data }: Pixels): Touches {
  const count = (length: number, indexOf: (step: number) => number) => {
    let solid = 0;
    for (let step = 0; step < length; step += 1) if (data[indexOf(step) * 4 + 3]! > 127) solid += 1;
    return solid > length * shortestRun;
  };
  return {
    left: count(height, (step) => step * width),
    top: count(width, (step) => step),
    right: count(height, (step) => step * width + width - 1),
    bottom: count(width, (step) => (height - 1) * width + step),
  };
}

const sharpnessSide = 320;

/** Mean brightness step between neighbouring pixels inside the product, scaled to 320 px on its long side. */
export async function measureSharpness(product: Pixels): Promise<number> {
  const scale = sharpnessSide / Math.max(product.width, product.height);
  const width = Math.max(2, Math.round(product.width * scale));
  const height = Math.max(2, Math.round(product.height * scale));
  const { data } = await resizePixels(product, width, height);
  const brightness = (index: number) =>
    0.3 * data[index * 4]! + 0.6 * data[index * 4 + 1]! + 0.1 * data[index * 4 + 2]!;
  const isOpaque = (index: number) => data[index * 4 + 3]! > 250;
  let sum = 0;
  let count = 0;
  for (let y = 0; y < height - 1; y += 1) {
    for (let x = 0; x < width - 1; x += 1) {
      const index = y * width + x;
      if (!isOpaque(index) || !isOpaque(index + 1) || !isOpaque(index + width)) continue;
      const here = brightness(index);
      sum += Math.abs(brightness(index + 1) - here) + Math.abs(brightness(index + width) - here);
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}
