import { open, rm } from 'node:fs/promises';
import { headBytes, heicMessage, photoFormatOf } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { onDisk } from '#shared/platform/storage-error.ts';
import { aboutPhoto } from './about-photo.ts';
import type { Decoder } from './decoder/decoder.ts';
import type { NormalisedPhoto } from './decoder/jobs.ts';
import type { Upload } from './uploads.ts';

/**
 * Normalises the photos of a request and puts them into the storage folder.
 * @param photoSetId id of the set that they belong to
 * @throws as {@link normalisePhoto}; photos that were stored before stay
 */
export async function storePhotos(
  { decoder, storage }: Pick<ServerContext, 'decoder' | 'storage'>,
  photoSetId: string,
  files: Upload['files'],
): Promise<GenerationRow['photos']> {
  const photos: GenerationRow['photos'] = [];
  // One at a time, so that one seller's photos do not keep others waiting for the decoder.
  for (const [index, file] of files.entries()) {
    const normalised = `${file.path}.normalised`;
    try {
      const { format, ...photo } = await normalisePhoto(decoder, file.path, normalised);
      const key = storageKeys.photo(photoSetId, index, format);
      await storage.putFile(key, normalised);
      photos.push({ key, ...photo });
    } catch (error) {
      // If this fails too, the first error is the one to report.
      await rm(normalised, { force: true }).catch(() => {});
      throw error instanceof AppError ? aboutPhoto(error, file.name) : error;
    }
  }
  return photos;
}

/**
 * Makes a photo upright, sRGB with eight bits per channel, at most 2,048 pixels per side, and free of metadata.
 * @param path the uploaded file
 * @param target path of the JPEG to write, or of the PNG if the photo has transparency
 * @throws AppError TYPE_UNSUPPORTED, IMAGE_TOO_SMALL, TOO_MANY_PIXELS or IMAGE_CORRUPT; UNAVAILABLE when too many photos wait;
 * StorageError when a file cannot be read or written
 */
export async function normalisePhoto(
  decoder: Decoder,
  path: string,
  target: string,
): Promise<NormalisedPhoto> {
  const format = photoFormatOf(await onDisk(path, () => firstBytes(path, headBytes)));
  if (format === null) throw new AppError('TYPE_UNSUPPORTED');
  // sharp is built without a decoder for HEIC.
  if (format === 'heic') throw new AppError('TYPE_UNSUPPORTED', { message: heicMessage });
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
