import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '../shared/contract/index.ts';
import { Refusal } from '../shared/errors.ts';

/** A form as it was sent: its text fields, and its files in a folder of their own. */
export interface Upload {
  fields: Record<string, string>;
  files: { path: string; bytes: number; sha256: string }[];
  /** Removes the folder. */
  discard(): Promise<void>;
}

/** Names of the form's file parts. */
const photoFields = new Set(['images', 'images[]', 'image', 'image[]']);

const incomingFolder = (storageFolder: string) => join(storageFolder, 'incoming');

/**
 * Reads a multipart form as a stream: photos go to files as they come, so memory does not grow with their size.
 * Whatever is refused leaves no file.
 * @throws Refusal of the uploads table in bad-inputs.md
 */
export async function readUpload(request: FastifyRequest, storageFolder: string): Promise<Upload> {
  if (!request.isMultipart()) throw new Refusal('MEDIA_TYPE_UNSUPPORTED');
  const folder = join(incomingFolder(storageFolder), randomUUID());
  await mkdir(folder, { recursive: true });
  const discard = () => rm(folder, { recursive: true, force: true });
  const upload: Upload = { fields: {}, files: [], discard };
  try {
    const parts = request.parts({
      limits: {
        fileSize: limits.photoBytes,
        files: limits.photos,
        fields: limits.formFields,
        // Room for four bytes a character, so that a description that is too long is refused by its schema.
        fieldSize: limits.promptCharacters * 8,
        fieldNameSize: 200,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (!photoFields.has(part.fieldname)) {
          part.file.resume();
          throw unknownField(part.fieldname);
        }
        const path = join(folder, String(upload.files.length));
        upload.files.push({ path, ...(await storePart(part.file, path)) });
        if (part.file.truncated) throw new Refusal('FILE_TOO_LARGE');
      } else {
        if (part.fieldname in upload.fields) {
          const message = `The field "${part.fieldname.slice(0, 60)}" was sent twice.`;
          throw new Refusal('VALIDATION', { message, field: part.fieldname.slice(0, 60) });
        }
        if (part.valueTruncated || part.fieldnameTruncated) {
          throw part.fieldname === 'prompt' ? new Refusal('PROMPT_INVALID') : unknownField(part.fieldname);
        }
        upload.fields[part.fieldname] = String(part.value);
      }
    }
    return upload;
  } catch (error) {
    await discard();
    throw isBrokenOff(error) ? new Refusal('UPLOAD_ABORTED', { cause: error }) : error;
  }
}

function unknownField(name: string): Refusal {
  const field = name.slice(0, 60);
  return new Refusal('VALIDATION', { message: `The field "${field}" is not known.`, field });
}

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
      done(null, chunk);
    },
  });
  await pipeline(source, measure, createWriteStream(path));
  return { bytes, sha256: hash.digest('hex') };
}

/** Whether a form stopped in the middle: the connection went, or its last boundary never came. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Refusal) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    [
      'ERR_STREAM_PREMATURE_CLOSE',
      'ECONNRESET',
      'ECONNABORTED',
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
