import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { optionsOf } from '#shared/generations/generation-options.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { keepOutside } from './keep-outside.ts';
import { verifiedImage } from './output.ts';
import type { ProviderResult } from './provider.ts';
import { checkResult } from './result-checks.ts';
import { type Thumbnail, thumbnailOf } from './thumbnail.ts';
import { inTurns } from './turns.ts';

/** What the provider made an image of. */
export interface CallFiles {
  /** Not blobs of files: when such a file cannot be read during a call, Node ends the process (observed). */
  photos: Blob[];
  /** The image to change; null for a new one. */
  original: Buffer | null;
  mask: Buffer | null;
}

/** Pictures of a worker that are decoded at the same time: each takes 20 MB meanwhile, and more would not be faster. */
const decoding = inTurns(4);

/** @returns small copies of the photos, for the check @throws when a photo cannot be decoded */
export function photoThumbnails(photos: readonly Blob[]): Promise<Thumbnail[]> {
  return Promise.all(
    photos.map((photo) =>
      decoding(async () => {
        const bytes = new Uint8Array(await photo.arrayBuffer());
        const thumbnail = await thumbnailOf(bytes);
        releaseMemory(bytes);
        return thumbnail;
      }),
    ),
  );
}

/**
 * Checks the provider's image, and restores what a change must leave as it was. The thumbnails are of no use afterwards.
 * @param photos thumbnails of the photos
 * @returns the image as PNG
 * @throws ProviderError `invalid_response`
 */
export async function checkedImage(
  row: GenerationRow,
  { original, mask }: Pick<CallFiles, 'original' | 'mask'>,
  photos: Promise<readonly Thumbnail[]>,
  { image, requestId }: ProviderResult,
): Promise<Buffer> {
  const { png, thumbnail } = await decoding(() => verifiedImage(image, optionsOf(row), requestId));
  // Within a small mask a change may be too small to be noticed here.
  const before = original && !mask ? await decoding(() => thumbnailOf(original)) : null;
  const ofPhotos = await photos;
  checkResult(thumbnail, { photos: ofPhotos, original: before }, requestId);
  for (const { pixels } of [thumbnail, ...ofPhotos]) releaseMemory(pixels);
  return original && mask ? decoding(() => keepOutside(original, png, mask)) : png;
}
