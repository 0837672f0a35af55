import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { sharp } from '#shared/platform/sharp.ts';

/** Reads an image as sRGB with eight bits and opacity. */
export async function readPixels(path: string): Promise<{ pixels: EditPixels; hasAlpha: boolean }> {
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
