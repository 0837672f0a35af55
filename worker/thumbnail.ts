import { limits } from '#contract';
import { sharp } from '#shared/platform/sharp.ts';

/** Width and height of a thumbnail, in pixels. */
export const thumbnailSide = 256;

/** A picture scaled to a square of `thumbnailSide`, whatever its shape was. */
export interface Thumbnail {
  /** RGBA, in sRGB. */
  pixels: Buffer;
  /** Of the picture: its size in pixels, and its format by sharp's name, such as `png`. */
  width: number;
  height: number;
  format: string;
}

/**
 * Decodes a whole picture once: decoding costs more than everything that is done with the pixels.
 * @throws when the picture is damaged anywhere, or has more pixels than a photo may have
 */
export async function thumbnailOf(picture: Uint8Array): Promise<Thumbnail> {
  const image = sharp(picture, {
    failOn: 'warning',
    limitInputPixels: limits.photoPixels,
    sequentialRead: true,
  });
  const { width, height, format } = await image.metadata();
  // Linear, which averages whole blocks first, reads every row.
  const pixels = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(thumbnailSide, thumbnailSide, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  return { pixels, width, height, format };
}
