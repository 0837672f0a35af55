import { createHash } from 'node:crypto';
import type { GenerationOptions } from '#contract';
import type { GenerationRow, StoredImage } from '#shared/data/generations/schema.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { ProviderError } from './provider-error.ts';
import { type Thumbnail, thumbnailOf } from './thumbnail.ts';

/** An image that the provider made. */
export interface VerifiedImage {
  png: Buffer;
  thumbnail: Thumbnail;
}

/**
 * Checks that the provider's answer is a complete image of the size that the seller chose.
 * @returns the image as PNG; a PNG is returned unchanged
 * @throws ProviderError `invalid_response`
 */
export async function verifiedImage(
  bytes: Buffer,
  chosen: Pick<GenerationOptions, 'width' | 'height'>,
  requestId: string | null,
): Promise<VerifiedImage> {
  try {
    // The header does not show whether the rest is damaged: the thumbnail decodes every row.
    const thumbnail = await thumbnailOf(bytes);
    const { format, width, height } = thumbnail;
    if (width !== chosen.width || height !== chosen.height) {
      throw new Error(`it is ${width} × ${height} pixels`);
    }
    return { png: format === 'png' ? bytes : await sharp(bytes).png().toBuffer(), thumbnail };
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
  const { width, height } = row.options;
  const key = storageKeys.image(row._id, row.fence);
  const storing = storage.put(key, png);
  // While it is stored: the digest of a large image takes milliseconds.
  const digest = digestOf(png);
  await storing;
  return { key, width, height, ...digest };
}

/** What tells the stored file from any other: the audit compares it (scripts/audit/audit-files.ts). */
const digestOf = (png: Buffer) => ({
  bytes: png.byteLength,
  sha256: createHash('sha256').update(png).digest('hex'),
});

/** Finds the image that an earlier attempt stored before it died. Attempts with a smaller fence are searched, newest first. */
export async function findStoredImage(
  storage: Storage,
  row: Pick<GenerationRow, '_id' | 'fence' | 'options'>,
): Promise<StoredImage | undefined> {
  const { width, height } = row.options;
  for (let fence = row.fence - 1; fence >= 1; fence -= 1) {
    const key = storageKeys.image(row._id, fence);
    const bytes = await storage.get(key);
    if (!bytes) continue;
    const image = await verifiedImage(bytes, { width, height }, null).catch(() => undefined);
    if (image) return { key, width, height, ...digestOf(bytes) };
  }
  return undefined;
}
