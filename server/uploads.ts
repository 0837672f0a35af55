import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '../shared/contract/index.ts';
import { Refusal } from '../shared/errors.ts';
import { incomingFolder } from '../shared/storage.ts';
import { onDisk, StorageError } from '../shared/storage-error.ts';

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
 * @throws Refusal of the uploads table in bad-inputs.md, or StorageError
 */
export async function readUpload(request: FastifyRequest, storageFolder: string): Promise<Upload> {
  if (!request.isMultipart()) throw new Refusal('MEDIA_TYPE_UNSUPPORTED');
  const paths: string[] = [];
  const discard = async () => {
    // What cannot be removed is swept later; it changes nothing about the answer.
    await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => {})));
  };
  const upload: Upload = { fields: {}, files: [], discard };
  // The first field that does not belong here. It waits until the form has been read: a form with too many fields is
  // refused for that, whatever they are called.
  let wrongField: Refusal | undefined;
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
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (!photoFields.has(part.fieldname)) wrongField ??= refusedField(part.fieldname, 'is not known');
        const path = join(incomingFolder(storageFolder), randomUUID());
        paths.push(path);
        upload.files.push({ path, ...(await storePart(part.file, path)) });
      } else if (part.fieldname in upload.fields) {
        wrongField ??= refusedField(part.fieldname, 'was sent twice');
      } else if (part.valueTruncated) {
        wrongField ??=
          part.fieldname === 'prompt'
            ? new Refusal('PROMPT_INVALID')
            : refusedField(part.fieldname, 'is too long');
      } else if (typeof part.value !== 'string') {
        // A part that says it is JSON comes unpacked: whatever it holds, text belongs here.
        wrongField ??= refusedField(part.fieldname, 'is not valid');
      } else {
        upload.fields[part.fieldname] = part.value;
      }
    }
    if (wrongField) throw wrongField;
    return upload;
  } catch (error) {
    readAway(request.raw);
    await discard();
    throw isBrokenOff(error) ? new Refusal('UPLOAD_ABORTED', { cause: error }) : error;
  }
}

function refusedField(name: string, problem: string): Refusal {
  const field = name.slice(0, 60);
  return new Refusal('VALIDATION', { message: `The field "${field}" ${problem}.`, field });
}

/**
 * Reads away what still comes of a form that was refused: a client hears the answer only once it may send, and the
 * connection ends only once it has. One that sends on and on is cut off.
 */
function readAway(request: IncomingMessage): void {
  let bytesLeft = limits.photos * limits.photoBytes;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) request.destroy();
  });
  request.resume();
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
      if (bytes > limits.photoBytes) done(new Refusal('FILE_TOO_LARGE'));
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

/** Whether a form stopped in the middle: the connection went, or its last boundary never came. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Refusal || error instanceof StorageError) return false;
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

/** Removes what a server that died left of uploads under way, older than an hour. */
export async function sweepUploads(storageFolder: string): Promise<void> {
  const folder = incomingFolder(storageFolder);
  await mkdir(folder, { recursive: true });
  const hourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(folder)) {
    const entry = await stat(join(folder, name)).catch(() => undefined);
    if (entry && entry.mtimeMs < hourAgo) await rm(join(folder, name), { recursive: true, force: true });
  }
}
