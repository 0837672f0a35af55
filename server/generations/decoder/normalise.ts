/** What decoder processes do with photos. The server itself never decodes one. */
import sharp from 'sharp';
import { limits } from '#contract/limits.ts';
import { checkedSide, checkPhoto, lumaWeights } from '#contract/photo-check.ts';
import { storageErrorOf } from '#shared/platform/storage-error.ts';
import type { NormalisedPhoto, Outcome } from './jobs.ts';

// No photo is decoded twice, so a cache would only use memory.
sharp.cache(false);
// One photo at a time is enough for a process, and each thread would hold rows of it in memory.
sharp.concurrency(1);

const channelBytes: Readonly<Record<string, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};

/** Reads a photo's header: the number of pixels must be known before the photo is decoded. */
export async function readHeader({ path }: { path: string }): Promise<Outcome<'header'>> {
  try {
    const photo = await sharp(path, { limitInputPixels: false }).metadata();
    const { format, width, height, channels, depth, isProgressive } = photo;
    return {
      result: { format, width, height, channels, channelBytes: channelBytes[depth] ?? 16, isProgressive },
    };
  } catch (error) {
    return storageFailure(error, path) ?? { refused: 'IMAGE_CORRUPT' };
  }
}

/**
 * Makes a photo upright, sRGB with eight bits per channel, at most 2,048 pixels per side, and free of metadata.
 * Of an animation the first frame is used.
 * @param target path of the PNG to write; returning it in memory would take three times as much memory
 */
export async function normalise({
  path,
  target,
}: {
  path: string;
  target: string;
}): Promise<Outcome<'normalise'>> {
  try {
    return { result: await write(path, target, 'warning') };
  } catch (error) {
    const reason = storageFailure(error, target);
    if (reason) return reason;
    if (isTruncated(error)) return { refused: 'IMAGE_CORRUPT' };
  }
  // Other warnings, such as extra bytes between two segments of the file, do not affect the picture.
  try {
    return { result: await write(path, target, 'error') };
  } catch (error) {
    return storageFailure(error, target) ?? { refused: 'IMAGE_CORRUPT' };
  }
}

async function write(path: string, target: string, failOn: 'warning' | 'error'): Promise<NormalisedPhoto> {
  const { width, height, size } = await sharp(path, {
    failOn,
    limitInputPixels: limits.photoPixels,
    sequentialRead: true,
  })
    .autoOrient()
    .resize({
      width: limits.photoSide,
      height: limits.photoSide,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toFile(target);
  return { width, height, bytes: size, warnings: checkPhoto({ width, height }, await readPixels(target)) };
}

/** Weights of red, green and blue in a pixel's luma. */
const luma: [number, number, number] = [...lumaWeights];

/** The luma of a normalised photo, reduced for the check. */
async function readPixels(path: string) {
  const { data, info } = await sharp(path, { sequentialRead: true })
    .resize({ width: checkedSide, height: checkedSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    // The other channels would take three times as much memory.
    .recomb([luma, luma, luma])
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...info, data };
}

/** Whether a JPEG ends before it has all pixels of its header: the rest would be grey. */
function isTruncated(error: unknown): boolean {
  return error instanceof Error && error.message.includes('premature end of data segment');
}

/** Makes a small WebP of an image. */
export async function makeThumbnail({ path }: { path: string }): Promise<Outcome<'thumbnail'>> {
  try {
    const result = await sharp(path)
      .resize({
        width: limits.thumbnailSide,
        height: limits.thumbnailSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 82 })
      .toBuffer();
    return { result };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return storageFailure(error, path) ?? { failed };
  }
}

/** The outcome if an error came from the storage folder; undefined otherwise. */
export function storageFailure(error: unknown, path: string): Outcome<never> | undefined {
  const failure = storageErrorOf(error, path);
  return failure && { failed: failure.message, storage: { code: failure.code, path } };
}
