/** What decoder processes do with photos; the server itself never unpacks one. */
import sharp from 'sharp';
import { limits } from '#contract/limits.ts';
import { storageErrorOf } from '#shared/platform/storage-error.ts';
import type { NormalisedPhoto, Outcome } from './jobs.ts';

// Photos differ from each other: what sharp would keep of one is of no use for the next.
sharp.cache(false);
// A photo at a time is enough for one process, and threads of their own would each hold rows of it.
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

/** Reads a photo's header alone: nothing is unpacked before its number of pixels is known. */
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
 * Makes a photo upright, sRGB with eight bits a channel, at most 2,048 pixels a side, and free of metadata.
 * Of an animation the first frame is used.
 * @param target where the PNG goes; a file, since one in memory would take three times as much on its way there
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
    if (isCutShort(error)) return { refused: 'IMAGE_CORRUPT' };
  }
  // What else a decoder warns of, such as bytes between two parts of the file, does no harm to the picture.
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
  return { width, height, bytes: size };
}

/** Whether a JPEG ends in good order before it has as many pixels as its header says: the rest would be grey. */
function isCutShort(error: unknown): boolean {
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

/** A failure of the storage folder, which is no photo's fault; undefined when the error tells of something else. */
function storageFailure(error: unknown, path: string): Outcome<never> | undefined {
  const failure = storageErrorOf(error, path);
  return failure && { failed: failure.message, storage: { code: failure.code, path } };
}
