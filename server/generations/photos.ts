import { unlink } from 'node:fs/promises';
import type { ServerContext } from '#server/http/context.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { StoredPhotoFormat } from '#shared/platform/storage.ts';
import { aboutPhoto } from './about-photo.ts';
import type { Client, Decoder } from './decoder/decoder.ts';
import type { NormalisedPhoto } from './decoder/jobs.ts';
import type { Upload } from './uploads.ts';

/** The photos of a request, which are being normalised. */
export interface PreparedPhotos {
  /** @returns the bytes of all photos as they will be stored @throws as `store` */
  bytes(): Promise<number>;
  /**
   * Puts the photos into the storage folder.
   * @param keyOf the key of a photo by its index, from 0, and its format
   * @throws as {@link Decoder.normalise}, with the name of the photo; photos that were stored before stay
   */
  store(keyOf: (index: number, format: StoredPhotoFormat) => string): Promise<GenerationRow['photos']>;
  /** Waits until none is being normalised, and removes what was not stored. Idempotent; never fails. */
  discard(): Promise<void>;
}

/** Begins to normalise the photos of a request. Nothing is stored yet: the results are files at work paths. */
export function preparePhotos(
  { decoder, storage }: Pick<ServerContext, 'decoder' | 'storage'>,
  client: Client,
  files: Upload['files'],
): PreparedPhotos {
  const left = new Set(files.map(({ path }) => normalisedPath(path)));
  const normalising = normaliseInOrder(decoder, client, files);
  // `store` throws the error.
  normalising.catch(() => {});
  return {
    async bytes() {
      return (await normalising).reduce((sum, photo) => sum + photo.bytes, 0);
    },
    async store(keyOf) {
      const photos: GenerationRow['photos'] = [];
      for (const [index, { path, format, ...photo }] of (await normalising).entries()) {
        const key = keyOf(index, format);
        await storage.putFile(key, path);
        left.delete(path);
        photos.push({ key, ...photo });
      }
      return photos;
    },
    async discard() {
      await normalising.catch(() => {});
      // The reconciler removes what cannot be removed here.
      await Promise.all([...left].map((path) => unlink(path).catch(() => {})));
    },
  };
}

const normalisedPath = (path: string) => `${path}.normalised`;

/** One photo at a time. */
async function normaliseInOrder(
  decoder: Decoder,
  client: Client,
  files: Upload['files'],
): Promise<(NormalisedPhoto & { path: string })[]> {
  const normalised = [];
  for (const { path, name } of files) {
    const target = normalisedPath(path);
    try {
      normalised.push({ ...(await decoder.normalise(client, path, target)), path: target });
    } catch (error) {
      throw error instanceof AppError ? aboutPhoto(error, name) : error;
    }
  }
  return normalised;
}
