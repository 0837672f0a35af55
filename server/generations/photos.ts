import { open } from 'node:fs/promises';
import { AppError } from '#shared/platform/errors.ts';
import { onDisk } from '#shared/platform/storage-error.ts';
import type { Decoder } from './decoder/decoder.ts';
import type { NormalisedPhoto } from './decoder/jobs.ts';

/** First bytes of the types that are taken; the bytes decide, never a name or a declared type. */
const signatures: readonly ((head: Buffer) => boolean)[] = [
  // JPEG
  (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  // PNG
  (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  // WebP
  (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  // TIFF
  (head) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(head.toString('latin1', 0, 4)),
  // AVIF
  (head) => head.toString('latin1', 4, 8) === 'ftyp' && /avi[fs]/.test(head.toString('latin1', 8, 40)),
];

/**
 * Makes a photo upright, sRGB with eight bits a channel, at most 2,048 pixels a side, and free of metadata.
 * @param path the file as it was uploaded
 * @param target where the PNG goes
 * @throws Refusal TYPE_UNSUPPORTED, TOO_MANY_PIXELS or IMAGE_CORRUPT; UNAVAILABLE when too many photos wait;
 * StorageError when a file cannot be read or written
 */
export async function normalisePhoto(
  decoder: Decoder,
  path: string,
  target: string,
): Promise<NormalisedPhoto> {
  const head = await onDisk(path, () => firstBytes(path, 64));
  if (!signatures.some((matches) => matches(head))) throw new AppError('TYPE_UNSUPPORTED');
  return decoder.normalise(path, target);
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
