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

/** A form as it was sent: its text fields and its files. */
export interface Upload {
  fields: Record<string, string>;
  files: { path: string; bytes: number; sha256: string }[];
  /** Removes the files. */
  discard(): Promise<void>;
}

/** Names of the form's file parts. */
const photoFields = new Set(['images', 'images[]', 'image', 'image[]']);

/**
 * Reads a multipart form as a stream: photos go to files as they come, so memory does not grow with their size.
 * Whatever is refused leaves no file.
 * @throws Refusal as in the table of uploads in docs/errors.md, or StorageError
 */
export async function readUpload(request: FastifyRequest, storageFolder: string): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  // The parser would wait for ever for the end of a request that has ended.
  if (request.raw.destroyed) throw new AppError('UPLOAD_ABORTED');
  const paths: string[] = [];
  const discard = async () => {
    // What cannot be removed is swept later; it changes nothing about the answer.
    await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => {})));
  };
  const upload: Upload = { fields: {}, files: [], discard };
  // The first field that does not belong here. It waits until the form has been read: a form with too many fields is
  // refused for that, whatever they are called.
  let wrongField: AppError | undefined;
  const photos: { bytesRead: number; truncated: boolean }[] = [];
  const endWatch = boundForm(request.raw, photos);
  try {
    const parts = request.parts({
      limits: {
        // One byte more than may come, so that storePart sees that too many do.
        fileSize: limits.photoBytes + 1,
        files: limits.photos,
        fields: limits.formFields,
        // Room for four bytes a character, so that a description that is too long is refused by its schema.
        fieldSize: limits.promptCharacters * 8,
        fieldNameSize: 200,
        parts: limits.photos + limits.formFields,
        headerPairs: limits.partHeaders,
        headerSize: limits.partHeaderBytes,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (!photoFields.has(part.fieldname)) wrongField ??= refusedField(part.fieldname, 'is not known');
        const path = join(incomingFolder(storageFolder), randomUUID());
        paths.push(path);
        photos.push(part.file);
        upload.files.push({ path, ...(await storePart(part.file, path)) });
      } else if (part.fieldname in upload.fields) {
        wrongField ??= refusedField(part.fieldname, 'was sent twice');
      } else if (part.valueTruncated) {
        wrongField ??=
          part.fieldname === 'prompt'
            ? new AppError('PROMPT_INVALID')
            : refusedField(part.fieldname, 'is too long');
      } else if (typeof part.value !== 'string') {
        // A part that says it is JSON comes unpacked: whatever it holds, text belongs here.
        wrongField ??= refusedField(part.fieldname, 'is not valid');
      } else {
        upload.fields[part.fieldname] = part.value;
      }
    }
    // What may stand behind the last part belongs to the form: only one that is whole is accepted.
    request.raw.resume();
    await finished(request.raw, { writable: false, cleanup: true });
    if (wrongField) throw wrongField;
    return upload;
  } catch (error) {
    await discard();
    throw meaningOf(error);
  } finally {
    endWatch();
  }
}

function refusedField(name: string, problem: string): AppError {
  const field = name.slice(0, 60);
  return new AppError('VALIDATION', { message: `The field "${field}" ${problem}.`, field });
}

/**
 * Holds a form to its bytes besides photos, wherever they stand: the parser would throw away a preamble, a field or an
 * epilogue without an end.
 * @param photos those of the form so far, as the parser counts them
 * @returns a function that ends the watch; the request fails with a Refusal at the first byte too many
 */
function boundForm(
  request: IncomingMessage,
  photos: readonly { bytesRead: number; truncated: boolean }[],
): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    const photoBytes = photos.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    if (bytes - photoBytes <= limits.formBytes) return;
    request.off('data', count);
    // What comes of a photo behind its limit is not counted as the photo's.
    const isPhoto = photos.some(({ truncated }) => truncated);
    request.emit('error', new AppError(isPhoto ? 'FILE_TOO_LARGE' : 'BODY_TOO_LARGE'));
  };
  request.on('data', count);
  return () => request.off('data', count);
}

/** @throws Refusal FILE_TOO_LARGE at the first byte too many, or StorageError */
async function storePart(
  source: NodeJS.ReadableStream,
  path: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > limits.photoBytes) done(new AppError('FILE_TOO_LARGE'));
      else done(null, chunk);
    },
  });
  // Its own writer and not a stream of Node's: what the disk refuses is told from a connection that broke.
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

/** What an error of reading a form means to its sender, where it means something. */
function meaningOf(error: unknown): unknown {
  if (isBrokenOff(error)) return new AppError('UPLOAD_ABORTED', { cause: error });
  // The search for the boundary takes 256 bytes; a boundary may have 70.
  const isBoundary = error instanceof Error && error.message.startsWith('The needle');
  return isBoundary ? new AppError('BAD_REQUEST', { cause: error }) : error;
}

/** Whether a form stopped in the middle: the connection went, or its last boundary never came. */
function isBrokenOff(error: unknown): boolean {
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
