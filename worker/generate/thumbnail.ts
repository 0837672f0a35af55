import { limits } from '#contract';
import { sharp } from '#shared/platform/sharp.ts';
import { type Thumbnail, thumbnailSide } from './result-checks.ts';

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
