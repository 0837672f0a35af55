import { createHash } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract';
import { createJpegEnd } from '#contract/jpeg-end.ts';
import { type FormRules, readForm } from '#server/http/read-form.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { onDisk } from '#shared/storage/storage-error.ts';
import { aboutPhoto } from './about-photo.ts';

/** A photo of a form. */
interface UploadedFile {
  path: string;
  /** For messages only; as its sender named it. */
  name: string;
  bytes: number;
  sha256: string;
}

/** A form: its text fields and its files. */
export interface Upload {
  fields: Record<string, string>;
  files: UploadedFile[];
  /** Removes the files. */
  discard(): Promise<void>;
}

const rules: FormRules = {
  fileFields: new Set(['images', 'images[]', 'image', 'image[]', 'photos', 'photos[]', 'photo']),
  files: limits.photos,
  fileBytes: limits.photoBytes,
  extraBytes: limits.photoFileBytes - limits.photoBytes,
  fieldBytes: limits.promptCharacters * 8,
  tooLong: (field) => (field === 'prompt' ? new AppError('PROMPT_INVALID') : undefined),
  fileTooLarge: (name) => aboutPhoto(new AppError('FILE_TOO_LARGE'), name),
  tooManyFiles: () => new AppError('TOO_MANY_FILES'),
};

/**
 * Reads a multipart form as a stream: photos are written to files as they arrive, so memory does not grow with their
 * size. If it throws, no file is left.
 * @throws AppError as in the table of uploads in docs/errors.md, or StorageError
 */
export function readUpload(request: FastifyRequest, storage: Storage): Promise<Upload> {
  return storePhotos(storage, (store) => readForm(request, rules, store));
}

/** Reads the text fields of a form; its photos are thrown away as they arrive. @throws AppError as {@link readUpload} */
export function readFields(request: FastifyRequest): Promise<Record<string, string>> {
  return readForm(request, rules, (photo) => finished(photo.resume()));
}

/**
 * Writes photos to files. If it throws, no file is left.
 * @param read calls its parameter with each photo and its name, one after the other; @returns the text fields
 */
export async function storePhotos(
  storage: Storage,
  read: (store: (photo: Readable, name: string) => Promise<void>) => Promise<Record<string, string>>,
): Promise<Upload> {
  const paths: string[] = [];
  const discard = async () => {
    // Upkeep removes what is left.
    await Promise.all(paths.map((path) => unlink(path).catch(() => {})));
  };
  const files: UploadedFile[] = [];
  try {
    const fields = await read(async (photo, name) => {
      const path = storage.newWorkPath();
      paths.push(path);
      files.push({ path, name, ...(await storePart(photo, path, name)) });
    });
    return { fields, files, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** @throws AppError IMAGE_REQUIRED without photos, FILE_EMPTY */
export function checkPhotos(files: readonly UploadedFile[]): void {
  if (files.length === 0) throw new AppError('IMAGE_REQUIRED');
  const empty = files.find((file) => file.bytes === 0);
  if (empty) throw aboutPhoto(new AppError('FILE_EMPTY'), empty.name);
}

/**
 * Writes a photo to a file. What follows the picture of a JPEG beyond `photoBytes` is read and not written.
 * @returns `bytes` and `sha256` of all that was sent
 * @throws AppError FILE_TOO_LARGE, or StorageError
 */
async function storePart(
  source: Readable,
  path: string,
  name: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const picture = createJpegEnd();
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      const kept = chunk.subarray(0, Math.max(0, rules.fileBytes - bytes));
      picture.push(kept);
      bytes += chunk.length;
      if (kept.length === chunk.length) return done(null, chunk);
      if (picture.found === undefined || bytes > limits.photoFileBytes) return done(rules.fileTooLarge(name));
      done(null, kept);
    },
  });
  // Not a write stream of Node's, whose errors could not be told from those of the connection.
  await pipeline(source, measure, async (chunks: AsyncIterable<Buffer>) => {
    const file = await onDisk(path, () => open(path, 'w'));
    try {
      for await (const chunk of chunks) await onDisk(path, () => file.writeFile(chunk));
    } finally {
      await onDisk(path, () => file.close());
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
