import pLimit from 'p-limit';
import type { GenerationOptions } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { ProviderError, type ProviderResult } from '#worker/providers/provider.ts';
import { checkResult, putBackOutside, reducePhoto } from './pixels.ts';
import type { ReducedPhoto, Thumbnail } from './result-checks.ts';
import { thumbnailOf } from './thumbnail.ts';

/** What the provider made an image of. */
export interface CallFiles {
  /** Not blobs of files: when such a file cannot be read during a call, Node ends the process (observed). */
  photos: Blob[];
  /** The image to change; null for a new one. */
  original: Buffer | null;
  mask: Buffer | null;
}

/** Pictures of a worker that are decoded at the same time: each takes 20 MB meanwhile, and more would not be faster. */
const decoding = pLimit(4);

/** @returns what the image is compared with @throws when a photo cannot be decoded */
export function reducedPhotos(row: GenerationRow, photos: readonly Blob[]): Promise<ReducedPhoto[]> {
  return Promise.all(
    photos.map((photo) =>
      decoding(async () => {
        const bytes = new Uint8Array(await photo.arrayBuffer());
        const thumbnail = await thumbnailOf(bytes);
        releaseMemory(bytes);
        const reduced = await reducePhoto(thumbnail, row.options);
        releaseMemory(thumbnail.pixels);
        return reduced;
      }),
    ),
  );
}

/**
 * Checks the provider's image, and restores what a change must leave as it was.
 * @returns the image as PNG
 * @throws ProviderError `invalid_response`
 */
export async function checkedImage(
  row: GenerationRow,
  { original, mask }: Pick<CallFiles, 'original' | 'mask'>,
  photos: Promise<readonly ReducedPhoto[]>,
  { image, requestId }: ProviderResult,
): Promise<Buffer> {
  const { png, thumbnail } = await decoding(() => verifiedImage(image, row.options, requestId));
  // Within a small mask a change may be too small to be noticed here.
  const before = original && !mask ? await decoding(() => thumbnailOf(original)) : null;
  await checkResult(thumbnail, { photos: await photos, original: before }, requestId);
  releaseMemory(thumbnail.pixels);
  return original && mask ? decoding(() => restoreOutsideMask(original, png, mask)) : png;
}

/**
 * Puts an image back where its mask lets nothing change: providers redraw a little everywhere.
 * @param original the image before the change
 * @param changed of the same size
 * @param mask of the same size; transparent where the image may change, partly transparent at soft edges
 * @returns PNG
 */
async function restoreOutsideMask(original: Buffer, changed: Buffer, mask: Buffer): Promise<Buffer> {
  const pixels = (image: Buffer) => sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [before, after, area] = await Promise.all([
    pixels(original),
    pixels(changed),
    sharp(mask).extractChannel('alpha').raw().toBuffer(),
  ]);
  const { data, info } = after;
  // Not buffers: their `slice` copies nothing.
  const [kept, made, where] = [before.data, data, area].map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array];
  await putBackOutside(kept, made, where);
  const { width, height } = info;
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  const { hasAlpha } = await sharp(original).metadata();
  return (hasAlpha ? image : image.removeAlpha()).png().toBuffer();
}

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

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);
