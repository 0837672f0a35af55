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
