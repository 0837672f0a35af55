import pLimit from 'p-limit';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { verifiedImage } from './output.ts';
import type { ProviderResult } from './provider.ts';
import { restoreOutsideMask } from './restore-outside-mask.ts';
import { checkResult, type ReducedPhoto, reducedPhoto } from './result-checks.ts';
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
        const reduced = reducedPhoto(thumbnail, row.options);
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
  checkResult(thumbnail, { photos: await photos, original: before }, requestId);
  releaseMemory(thumbnail.pixels);
  return original && mask ? decoding(() => restoreOutsideMask(original, png, mask)) : png;
}
