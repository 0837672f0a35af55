import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { incomingFolder } from '#shared/platform/storage.ts';
import { onDisk, StorageError } from '#shared/platform/storage-error.ts';
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

/** Names of the form's file parts. */
const photoFields = new Set(['images', 'images[]', 'image', 'image[]']);

/**
 * Reads a multipart form as a stream: photos are written to files as they arrive, so memory does not grow with their
 * size. If it throws, no file is left.
 * @throws AppError as in the table of uploads in docs/errors.md, or StorageError
 */
export async function readUpload(request: FastifyRequest, storageFolder: string): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  // The parser would wait for ever for the end of a destroyed request.
  if (request.raw.destroyed) throw new AppError('UPLOAD_ABORTED');
  const paths: string[] = [];
  const discard = async () => {
    // The reconciler removes what is left.
    await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => {})));
  };
  const upload: Upload = { fields: {}, files: [], discard };
  // The first invalid field. It is thrown after the form was read, because the limit on the number of fields comes first.
  let invalidField: AppError | undefined;
  const photos: FormPhoto[] = [];
  const stopCounting = boundForm(request.raw, photos);
  try {
    const parts = request.parts({
      limits: {
        // One byte more than the limit, so that storePart notices a photo that is too large.
        fileSize: limits.photoBytes + 1,
        files: limits.photos,
        fields: limits.formFields,
        // More than the schema allows, so that a prompt that is too long gets the schema's error.
        fieldSize: limits.promptCharacters * 8,
        fieldNameSize: 200,
        parts: limits.photos + limits.formFields,
        headerPairs: limits.partHeaders,
        headerSize: limits.partHeaderBytes,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (!photoFields.has(part.fieldname)) invalidField ??= fieldError(part.fieldname, 'is not known');
        const path = join(incomingFolder(storageFolder), randomUUID());
        paths.push(path);
        const name = part.filename;
        photos.push({ name, stream: part.file });
        upload.files.push({ path, name, ...(await storePart(part.file, path, name)) });
      } else if (part.fieldname in upload.fields) {
        invalidField ??= fieldError(part.fieldname, 'was sent twice');
      } else if (part.valueTruncated) {
        invalidField ??=
          part.fieldname === 'prompt'
            ? new AppError('PROMPT_INVALID')
            : fieldError(part.fieldname, 'is too long');
      } else if (typeof part.value !== 'string') {
        // The parser decodes a part with type JSON; only text is valid.
        invalidField ??= fieldError(part.fieldname, 'is not valid');
      } else {
        upload.fields[part.fieldname] = part.value;
      }
    }
    // The form is accepted only when it has arrived completely, including what follows the last part.
    request.raw.resume();
    await finished(request.raw, { writable: false, cleanup: true });
    if (invalidField) throw invalidField;
    return upload;
  } catch (error) {
    await discard();
    throw toAppError(error);
  } finally {
    stopCounting();
  }
}

function fieldError(name: string, problem: string): AppError {
  const field = name.slice(0, 60);
  return new AppError('VALIDATION', { message: `The field "${field}" ${problem}.`, field });
}

/** A photo of a form that is being read, as the parser counts it. */
interface FormPhoto {
  name: string;
  stream: { bytesRead: number; truncated: boolean };
}

/**
 * Bounds the bytes of a form besides its photos: the parser would discard a preamble, field or epilogue of any length.
 * When there are too many, the request fails with an AppError.
 * @param photos the photos of the form so far
 * @returns a function that stops counting
 */
function boundForm(request: IncomingMessage, photos: readonly FormPhoto[]): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    const photoBytes = photos.reduce((sum, { stream }) => sum + stream.bytesRead, 0);
    if (bytes - photoBytes <= limits.formBytes) return;
    request.off('data', count);
    // The parser does not count the bytes of a photo that exceed its limit.
    const tooLarge = photos.find(({ stream }) => stream.truncated);
    const error = tooLarge
      ? aboutPhoto(new AppError('FILE_TOO_LARGE'), tooLarge.name)
      : new AppError('BODY_TOO_LARGE');
    request.emit('error', error);
  };
  request.on('data', count);
  return () => request.off('data', count);
}

/** Writes a photo to a file. @throws AppError FILE_TOO_LARGE, or StorageError */
async function storePart(
  source: NodeJS.ReadableStream,
  path: string,
  name: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > limits.photoBytes) done(aboutPhoto(new AppError('FILE_TOO_LARGE'), name));
      else done(null, chunk);
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

/** The AppError for an error of reading a form that the client caused; else the error itself. */
function toAppError(error: unknown): unknown {
  if (isIncomplete(error)) return new AppError('UPLOAD_ABORTED', { cause: error });
  // The parser's error for a boundary of more than 256 bytes; the standard allows 70.
  const isBoundary = error instanceof Error && error.message.startsWith('The needle');
  return isBoundary ? new AppError('BAD_REQUEST', { cause: error }) : error;
}

/** Whether a form is incomplete: the connection was lost, or its last boundary is missing. */
function isIncomplete(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof StorageError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    [
      'ERR_STREAM_PREMATURE_CLOSE',
      'ECONNRESET',
      'ECONNABORTED',
      'FST_MP_PREMATURE_CLOSE',
      'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    ].includes(code) ||
    /unexpected end|premature close|terminated early|aborted|malformed|multipart: (boundary|end)/i.test(
      error.message,
    )
  );
}
