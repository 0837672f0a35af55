import sharp from 'sharp';
import { type GenerationOptions, limits } from '#contract';
import type { GenerationRow, StoredImage } from '#shared/data/generations/schema.ts';
import { optionsOf } from '#shared/generations/generation-options.ts';
import { type Storage, storageKeys } from '#shared/platform/storage.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Checks that the provider's answer is a complete image of the size that the seller chose.
 * @returns the image as PNG; a PNG is returned unchanged
 * @throws ProviderError `invalid_response`
 */
export async function verifiedPng(
  bytes: Buffer,
  chosen: Pick<GenerationOptions, 'width' | 'height'>,
  requestId: string | null,
): Promise<Buffer> {
  try {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: limits.photoPixels });
    const { width, height, format } = await image.metadata();
    if (width !== chosen.width || height !== chosen.height) {
      throw new Error(`it is ${width} × ${height} pixels`);
    }
    if (format !== 'png') return await image.png().toBuffer();
    // Decodes every row, because the header does not show whether the rest is damaged. One column keeps memory small.
    await image.resize({ width: 1, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
    return bytes;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError('invalid_response', `the answer has no usable image: ${reason}`, {
      requestId,
      cause: error,
    });
  }
}

/** Stores the image of an attempt. */
export async function storeImage(
  storage: Storage,
  row: Pick<GenerationRow, '_id' | 'fence' | 'options'>,
  png: Buffer,
): Promise<StoredImage> {
  const { width, height } = optionsOf(row);
  const key = storageKeys.image(row._id, row.fence);
  await storage.put(key, png);
  return { key, width, height, bytes: png.byteLength };
}

/** Finds the image that an earlier attempt stored before it died. Attempts with a smaller fence are searched, newest first. */
export async function findStoredImage(
  storage: Storage,
  row: Pick<GenerationRow, '_id' | 'fence' | 'options'>,
): Promise<StoredImage | undefined> {
  const { width, height } = optionsOf(row);
  for (let fence = row.fence - 1; fence >= 1; fence -= 1) {
    const key = storageKeys.image(row._id, fence);
    const bytes = await storage.get(key);
    if (!bytes) continue;
    const png = await verifiedPng(bytes, { width, height }, null).catch(() => undefined);
    if (png) return { key, width, height, bytes: png.byteLength };
  }
  return undefined;
}
