import sharp from 'sharp';
import { AppError } from '#shared/platform/errors.ts';

const refused = (message: string) => new AppError('VALIDATION', { message, field: 'mask' });

/**
 * Reads the mask of a change. Its size is that of an image of ours, so decoding it costs little, unlike an uploaded photo.
 * @param base64 a PNG
 * @param image the image that is to be changed
 * @throws AppError VALIDATION unless it is a PNG with alpha, of the image's size, that lets something change
 */
export async function readMask(base64: string, image: { width: number; height: number }): Promise<Buffer> {
  const bytes = Buffer.from(base64, 'base64');
  const limitInputPixels = image.width * image.height;
  try {
    const { format, width, height, hasAlpha } = await sharp(bytes, { limitInputPixels }).metadata();
    if (format !== 'png' || !hasAlpha) throw refused('The mask must be a PNG with an alpha channel.');
    if (width !== image.width || height !== image.height) {
      throw refused(`The mask must be as large as the image: ${image.width} × ${image.height} pixels.`);
    }
    const { channels } = await sharp(bytes, { limitInputPixels }).stats();
    if (channels.at(-1)?.min !== 0)
      throw refused('The mask is transparent nowhere, so nothing could change.');
    return bytes;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refused('The mask cannot be read as a PNG of the size of the image.');
  }
}
