import type { Mark } from '#shared/contract/marks.ts';
import { sharp } from '#shared/platform/sharp.ts';
import type { MaskSize, Outcome } from './jobs.ts';
import { markArea } from './mark-area.ts';

/** Makes the mask of a change from what the seller marked. */
export async function drawMask({
  marks,
  size,
}: {
  marks: readonly Mark[];
  size: MaskSize;
}): Promise<Outcome<'drawMask'>> {
  const area = markArea(marks, size);
  return { result: await encodeMask(size, (pixel) => 255 - area[pixel]!) };
}

/** Makes the mask of a change from a PNG of somebody else: what is stored and sent on are bytes of ours. */
export async function readMask({
  png,
  size,
}: {
  png: Uint8Array;
  size: MaskSize;
}): Promise<Outcome<'readMask'>> {
  try {
    const { data, info } = await sharp(png, { limitInputPixels: size.width * size.height })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.width !== size.width || info.height !== size.height) return { refused: 'IMAGE_CORRUPT' };
    return { result: await encodeMask(size, (pixel) => data[pixel * 4 + 3]!) };
  } catch {
    return { refused: 'IMAGE_CORRUPT' };
  }
}

/**
 * @param alphaOf opacity of a pixel, 0 to 255
 * @returns a black PNG with that opacity; null if no pixel of it is transparent
 */
async function encodeMask(
  { width, height }: MaskSize,
  alphaOf: (pixel: number) => number,
): Promise<Uint8Array | null> {
  const data = new Uint8Array(width * height * 4);
  let isTransparent = false;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const alpha = alphaOf(pixel);
    data[pixel * 4 + 3] = alpha;
    if (alpha === 0) isTransparent = true;
  }
  if (!isTransparent) return null;
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
