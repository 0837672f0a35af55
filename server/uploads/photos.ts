import { unlink } from 'node:fs/promises';
import type { Client, Decoder } from '#server/decoder/decoder.ts';
import type { NormalisedFile } from '#shared/generations/store-photos.ts';
import { AppError } from '#shared/platform/errors.ts';
import { aboutPhoto } from './about-photo.ts';
import type { Upload } from './read-upload.ts';

/** The photos of a request, which are being normalised. */
export interface PreparedPhotos {
  /** @throws as {@link Decoder.normalise}, with the name of the photo */
  normalised: Promise<NormalisedFile[]>;
  /** Waits until none is being normalised, and removes what was not stored. Idempotent; never fails. */
  discard(): Promise<void>;
}

/** Begins to normalise the photos of a request. Nothing is stored yet: the results are files at work paths. */
export function preparePhotos(decoder: Decoder, client: Client, files: Upload['files']): PreparedPhotos {
  const normalised = normaliseInOrder(decoder, client, files);
  // Whoever stores them gets the error.
  normalised.catch(() => {});
  return {
    normalised,
    async discard() {
      await normalised.catch(() => {});
      // Those that were stored are gone; upkeep removes what cannot be removed here.
      await Promise.all(files.map(({ path }) => unlink(normalisedPath(path)).catch(() => {})));
    },
  };
}

const normalisedPath = (path: string) => `${path}.normalised`;

/** One photo at a time. */
async function normaliseInOrder(
  decoder: Decoder,
  client: Client,
  files: Upload['files'],
): Promise<NormalisedFile[]> {
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
