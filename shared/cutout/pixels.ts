/** Photos and masks as plain arrays. */
import { sharp } from '#shared/platform/sharp.ts';

/** An image of 8-bit red, green, blue and alpha, row by row, not premultiplied. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** One value from 0 to 255 for each pixel. */
export interface Mask {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A rectangle of whole pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** One number for each pixel, or for each of its channels. */
export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

/**
 * Decodes a photo upright in sRGB, at most `longestSide` pixels long; smaller photos keep their size.
 * @throws sharp's error when the bytes are not an image
 */
export async function decodePhoto(bytes: Uint8Array, longestSide: number): Promise<Pixels> {
  const { data, info } = await sharp(bytes)
    .rotate()
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length),
  };
}

/** Scales pixels to a size of at least 1 × 1. */
export async function resizePixels(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  const data = await sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 4 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length) };
}

/** The pixels within a box. */
export function cropPixels({ width, data }: Pixels, box: Box): Pixels {
  const cropped = new Uint8ClampedArray(box.width * box.height * 4);
  for (let row = 0; row < box.height; row += 1) {
    const start = ((box.top + row) * width + box.left) * 4;
    cropped.set(data.subarray(start, start + box.width * 4), row * box.width * 4);
  }
  return { width: box.width, height: box.height, data: cropped };
}

/** A mask filled with one value. */
export function createMask(width: number, height: number, value = 0): Mask {
  return { width, height, data: new Uint8Array(width * height).fill(value) };
}

/** Intersection over union of two masks of the same size, 0–1. */
export function intersectionOverUnion(first: Mask, second: Mask): number {
  let both = 0;
  let either = 0;
  for (let index = 0; index < first.data.length; index += 1) {
    const inFirst = first.data[index]! > 127;
    const inSecond = second.data[index]! > 127;
    if (inFirst && inSecond) both += 1;
    if (inFirst || inSecond) either += 1;
  }
  return either === 0 ? 1 : both / either;
}

/**
 * The value of a channel between pixels, by bilinear interpolation; `x` and `y` are 0 at the centre of the first pixel.
 * Positions outside read the border.
 */
export function sampleAt(
  { width, height, data }: Plane,
  x: number,
  y: number,
  channels = 1,
  channel = 0,
): number {
  const column = Math.min(width - 1, Math.max(0, x));
  const row = Math.min(height - 1, Math.max(0, y));
  const left = Math.min(width - 2, column | 0);
  const top = Math.min(height - 2, row | 0);
  const across = column - left;
  const at = (top * width + left) * channels + channel;
  const below = at + width * channels;
  const upper = data[at]! + (data[at + channels]! - data[at]!) * across;
  const lower = data[below]! + (data[below + channels]! - data[below]!) * across;
  return upper + (lower - upper) * (row - top);
}

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
