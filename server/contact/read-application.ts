import type { FastifyRequest } from 'fastify';
import { applicationSchema, cvMessages, limits } from '#contract';
import { type FormRules, readForm } from '#server/http/read-form.ts';
import { parse } from '#server/http/validation.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type CvType, cvTypeOf } from './cv-type.ts';

/** Bytes of the largest form that can be accepted. */
const formBytesMost = limits.cvBytes + limits.formBytes;

const ofCv = (
  code: 'FILE_EMPTY' | 'FILE_TOO_LARGE' | 'TOO_MANY_FILES' | 'TYPE_UNSUPPORTED',
  message: string,
) => new AppError(code, { message, field: 'cv' });

const cvTooLarge = () => ofCv('FILE_TOO_LARGE', cvMessages.tooLarge);

const rules: FormRules = {
  fileFields: new Set(['cv']),
  files: 1,
  fileBytes: limits.cvBytes,
  fieldBytes: limits.messageCharacters * 8,
  fileTooLarge: cvTooLarge,
  tooManyFiles: () => ofCv('TOO_MANY_FILES', 'Please upload one file with your CV.'),
};

/**
 * Refuses a form that is too large, or not a form, before a byte of it is read.
 * @throws AppError FILE_TOO_LARGE or MEDIA_TYPE_UNSUPPORTED
 */
export function checkApplicationHeaders(request: FastifyRequest): void {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  if (Number(request.headers['content-length']) > formBytesMost) throw cvTooLarge();
}

/**
 * Reads an application. The CV is held in memory: it is small, and the number of applications that are read at a time is
 * limited.
 * @throws AppError as in the table of messages in docs/errors.md
 */
export async function readApplication(request: FastifyRequest) {
  let cv: Buffer | undefined;
  const fields = await readForm(request, rules, async (file) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > rules.fileBytes) throw cvTooLarge();
      chunks.push(chunk);
    }
    cv = Buffer.concat(chunks);
  });
  const application = parse(applicationSchema, fields);
  return { ...application, cv: checkCv(cv) };
}

function checkCv(bytes: Buffer | undefined): CvType & { bytes: Buffer } {
  if (bytes === undefined) {
    throw new AppError('VALIDATION', { message: cvMessages.missing, field: 'cv' });
  }
  if (bytes.length === 0) throw ofCv('FILE_EMPTY', cvMessages.empty);
  const type = cvTypeOf(bytes);
  if (!type) throw ofCv('TYPE_UNSUPPORTED', cvMessages.type);
  return { ...type, bytes };
}
