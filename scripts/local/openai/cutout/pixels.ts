/** Photos and masks as plain arrays. */
import sharp from 'sharp';

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

/** One number for each pixel. */
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
 * The value of a plane between its pixels, by bilinear interpolation; `x` and `y` are 0 at the centre of the first
 * pixel.
 */
export function sampleAt({ width, height, data }: Plane, x: number, y: number): number {
  const column = Math.min(width - 1, Math.max(0, x));
  const row = Math.min(height - 1, Math.max(0, y));
  const left = Math.min(width - 2, Math.floor(column));
  const top = Math.min(height - 2, Math.floor(row));
  const across = column - left;
  const down = row - top;
  const at = top * width + left;
  const upper = data[at]! + (data[at + 1]! - data[at]!) * across;
  const lower = data[at + width]! + (data[at + width + 1]! - data[at + width]!) * across;
  return upper + (lower - upper) * down;
}
