import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { limits } from '../shared/contract/index.ts';
import { Refusal } from '../shared/errors.ts';
import { onDisk, storageErrorOf } from '../shared/storage-error.ts';

// Photos differ from each other: what sharp would keep of one is of no use for the next.
sharp.cache(false);

type PhotoType = 'jpeg' | 'png' | 'webp' | 'tiff' | 'heif';

/** First bytes of the types that are taken; the bytes decide, never a name or a declared type. */
const signatures: readonly { type: PhotoType; matches: (head: Buffer) => boolean }[] = [
  { type: 'jpeg', matches: (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { type: 'png', matches: (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  {
    type: 'webp',
    matches: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  },
  {
    type: 'tiff',
    matches: (head) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(head.toString('latin1', 0, 4)),
  },
  {
    type: 'heif',
    matches: (head) =>
      head.toString('latin1', 4, 8) === 'ftyp' && /avi[fs]/.test(head.toString('latin1', 8, 40)),
  },
];

/** A photo as it is kept and sent to the provider. */
export interface NormalisedPhoto {
  width: number;
  height: number;
  bytes: number;
}

/**
 * Makes a photo upright, sRGB with eight bits a channel, at most 2,048 pixels a side, and free of metadata.
 * Of an animation the first frame is used.
 * @param path the file as it was uploaded
 * @param target where the PNG goes; a file, since one in memory would take three times as much on its way there
 * @throws Refusal TYPE_UNSUPPORTED, TOO_MANY_PIXELS or IMAGE_CORRUPT; StorageError when a file cannot be read or written
 */
export async function normalisePhoto(path: string, target: string): Promise<NormalisedPhoto> {
  const head = await onDisk(path, () => firstBytes(path, 64));
  const type = signatures.find(({ matches }) => matches(head))?.type;
  if (!type) throw new Refusal('TYPE_UNSUPPORTED');

  let size: { width: number; height: number };
  try {
    // The header alone: nothing is unpacked before the number of pixels is known.
    const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
    size = { width, height };
  } catch (error) {
    throw storageErrorOf(error, path) ?? new Refusal('IMAGE_CORRUPT', { cause: error });
  }
  if (size.width * size.height > limits.photoPixels) throw new Refusal('TOO_MANY_PIXELS');

  try {
    const {
      width,
      height,
      size: bytes,
    } = await sharp(path, {
      failOn: 'error',
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
    return { width, height, bytes };
  } catch (error) {
    throw storageErrorOf(error, target) ?? new Refusal('IMAGE_CORRUPT', { cause: error });
  }
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
