import { stat } from 'node:fs/promises';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { sharp } from '#shared/platform/sharp.ts';

interface ReadPixels {
  pixels: EditPixels;
  hasAlpha: boolean;
}

/** The image that was read last. */
let last: { file: string; reading: Promise<ReadPixels> } | undefined;

/** The same as `readPixels`, once for files of one image that follow each other: its pixels (16 MB at most) are kept until another is read. */
export async function readPixelsOnce(path: string): Promise<ReadPixels> {
  const { ino, mtimeMs, size } = await stat(path);
  const file = JSON.stringify([path, ino, mtimeMs, size]);
  if (last?.file !== file) last = { file, reading: readPixels(path) };
  const { reading } = last;
  try {
    const { pixels, hasAlpha } = await reading;
    return { pixels: { ...pixels, data: pixels.data.slice() }, hasAlpha };
  } catch (error) {
    if (last?.reading === reading) last = undefined;
    throw error;
  }
}

/** Reads an image as sRGB with eight bits and opacity. */
export async function readPixels(path: string): Promise<ReadPixels> {
  const image = sharp(path);
  const { hasAlpha } = await image.metadata();
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  return { pixels: { data: pixels, width, height }, hasAlpha };
}

/** Less than this fraction of transparent pixels are not a background. */
const leastTransparent = 0.02;

/** The opacity of each pixel of an image without a background; undefined of one that has a background. */
export function cutOpacity({ data, width, height }: EditPixels): Uint8Array | undefined {
  const opacity = new Uint8Array(width * height);
  let transparent = 0;
  for (let pixel = 0; pixel < opacity.length; pixel += 1) {
    opacity[pixel] = data[pixel * 4 + 3]!;
    if (opacity[pixel]! < 16) transparent += 1;
  }
  return transparent >= leastTransparent * opacity.length ? opacity : undefined;
}
