import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { StorageError } from '#shared/storage/storage-error.ts';

/** What a multipart form may have. */
export interface FormRules {
  /** Names of its file parts. */
  fileFields: ReadonlySet<string>;
  /** How many files, and bytes of one. */
  files: number;
  fileBytes: number;
  /** Bytes that one file may have beyond that, as `receive` decides; all files together may not. */
  extraBytes?: number;
  /** Bytes of a text field: more than its schema allows, so that one that is too long gets the schema's error. */
  fieldBytes: number;
  /** The error of a text field with more bytes; VALIDATION unless it is given. */
  tooLong?: (field: string) => AppError | undefined;
  /** @param name of the file, as its sender named it */
  fileTooLarge: (name: string) => AppError;
  tooManyFiles: () => AppError;
}

/**
 * Reads a multipart form as a stream, each of its parts within its limit.
 * @param receive reads a file, and refuses it with `fileTooLarge` when it has more bytes than `fileBytes`; its name is as
 *   its sender named it
 * @returns the text fields
 * @throws AppError as in the tables of docs/errors.md, and what `receive` throws
 */
export async function readForm(
  request: FastifyRequest,
  rules: FormRules,
  receive: (file: Readable, name: string) => Promise<void>,
): Promise<Record<string, string>> {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  // The parser would wait for ever for the end of a destroyed request.
  if (request.raw.destroyed) throw new AppError('UPLOAD_ABORTED');
  const fields: Record<string, string> = {};
  // The first invalid field. It is thrown after the form was read, because the limit on the number of fields comes first.
  let invalidField: AppError | undefined;
  const files: FormFile[] = [];
  const stopCounting = boundForm(request.raw, files, rules);
  try {
    const parts = request.parts({
      // A file need not have a name (RFC 7578, 4.2).
      isPartAFile: (name, type, fileName) =>
        fileName !== undefined ||
        type === 'application/octet-stream' ||
        (name !== undefined && rules.fileFields.has(name) && type !== 'text/plain'),
      limits: {
        // One byte more than the limit, so that `receive` notices a file that is too large.
        fileSize: rules.fileBytes + (rules.extraBytes ?? 0) + 1,
        files: rules.files,
        fields: limits.formFields,
        fieldSize: rules.fieldBytes,
        fieldNameSize: 200,
        parts: rules.files + limits.formFields,
        headerPairs: limits.partHeaders,
        headerSize: limits.partHeaderBytes,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (!rules.fileFields.has(part.fieldname))
          invalidField ??= fieldError(part.fieldname, 'is not known');
        files.push({ name: part.filename, stream: part.file });
        await receive(part.file, part.filename);
      } else if (part.fieldname in fields) {
        invalidField ??= fieldError(part.fieldname, 'was sent twice');
      } else if (part.valueTruncated) {
        invalidField ??= rules.tooLong?.(part.fieldname) ?? fieldError(part.fieldname, 'is too long');
      } else if (typeof part.value !== 'string') {
        // The parser decodes a part with type JSON; only text is valid.
        invalidField ??= fieldError(part.fieldname, 'is not valid');
      } else {
        fields[part.fieldname] = part.value;
      }
    }
    // The form is accepted only when it has arrived completely, including what follows the last part.
    request.raw.resume();
    await finished(request.raw, { writable: false, cleanup: true });
    if (invalidField) throw invalidField;
    return fields;
  } catch (error) {
    throw toAppError(error, rules);
  } finally {
    stopCounting();
  }
}

function fieldError(name: string, problem: string): AppError {
  const field = name.slice(0, 60);
  return new AppError('VALIDATION', { message: `The field "${field}" ${problem}.`, field });
}

/** A file of a form that is being read, as the parser counts it. */
interface FormFile {
  name: string;
  stream: { bytesRead: number; truncated: boolean };
}

/**
 * Bounds the bytes of all files of a form, and of the form besides them: the parser would discard a preamble, field or
 * epilogue of any length.
 * When there are too many, the request fails with an AppError.
 * @param files the files of the form so far
 * @returns a function that stops counting
 */
function boundForm(request: IncomingMessage, files: readonly FormFile[], rules: FormRules): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    const fileBytes = files.reduce((sum, { stream }) => sum + stream.bytesRead, 0);
    const isWithin = fileBytes <= rules.files * rules.fileBytes;
    if (bytes - fileBytes <= limits.formBytes && isWithin) return;
    request.off('data', count);
    // The parser does not count the bytes of a file that exceed its limit.
    const tooLarge = files.find(({ stream }) => stream.truncated);
    request.emit('error', tooLarge ? rules.fileTooLarge(tooLarge.name) : new AppError('BODY_TOO_LARGE'));
  };
  request.on('data', count);
  return () => request.off('data', count);
}

/** The AppError for an error of reading a form that the client caused; else the error itself. */
function toAppError(error: unknown, rules: FormRules): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof StorageError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'FST_FILES_LIMIT') return rules.tooManyFiles();
  if (isIncomplete(error, code)) return new AppError('UPLOAD_ABORTED', { cause: error });
  // The parser's error for a boundary of more than 256 bytes; the standard allows 70.
  return error.message.startsWith('The needle') ? new AppError('BAD_REQUEST', { cause: error }) : error;
}

/** Whether a form is incomplete: the connection was lost, or its last boundary is missing. */
function isIncomplete(error: Error, code: string): boolean {
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
