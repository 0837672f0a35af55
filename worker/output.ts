import sharp from 'sharp';
import { limits } from '#contract';
import type { StoredImage } from '#shared/data/generations/schema.ts';
import { type Storage, storageKeys } from '#shared/platform/storage.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Checks that the provider's answer is a complete image of the promised size.
 * @returns the image as PNG; a PNG is returned unchanged
 * @throws ProviderError `invalid_response`
 */
export async function verifiedPng(bytes: Buffer, requestId: string | null): Promise<Buffer> {
  try {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: limits.photoPixels });
    const { width, height, format } = await image.metadata();
    if (width !== limits.outputWidth || height !== limits.outputHeight) {
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
  generationId: string,
  fence: number,
  png: Buffer,
): Promise<StoredImage> {
  const key = storageKeys.image(generationId, fence);
  await storage.put(key, png);
  return { key, width: limits.outputWidth, height: limits.outputHeight, bytes: png.byteLength };
}

/**
 * Finds the image that an earlier attempt stored before it died.
 * @param beforeFence attempts with a smaller fence are searched, newest first
 */
export async function findStoredImage(
  storage: Storage,
  generationId: string,
  beforeFence: number,
): Promise<StoredImage | undefined> {
  for (let fence = beforeFence - 1; fence >= 1; fence -= 1) {
    const key = storageKeys.image(generationId, fence);
    const bytes = await storage.get(key);
    if (!bytes) continue;
    const png = await verifiedPng(bytes, null).catch(() => undefined);
    if (png) return { key, width: limits.outputWidth, height: limits.outputHeight, bytes: png.byteLength };
  }
  return undefined;
}
