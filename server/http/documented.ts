import { z } from 'zod';
import { limits, photoFormats, photoTypes, v1Versions } from '#contract';

/* What the API's documentation says of a request that its route reads itself, so that no schema of Fastify's has it. */

/** A file part of a form: its schema, and the media types that are accepted. */
export interface FilePart {
  schema: object;
  contentType: string;
}

/** A multipart form: its text fields, and its file parts, all of them required. */
export interface DocumentedForm {
  fields?: z.ZodType;
  files: Readonly<Record<string, FilePart>>;
}

declare module 'fastify' {
  interface FastifySchema {
    /** The form that a route reads as a stream. */
    form?: DocumentedForm;
    /** The JSON that a route takes instead of a form, and parses itself. */
    orJson?: z.ZodType;
    /** Headers that a route reads besides those of every request. */
    requestHeaders?: z.ZodObject;
  }
}

/** A file in a form. @param about what it is, and how large it may be */
const file = (about: string) => ({ type: 'string', format: 'binary', description: about });

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
const contentType = Object.keys(photoTypes).join(', ');
const photo = file(`${photoFormats}, at most ${megabytes(limits.photoBytes)}.`);

/** The photos of a submission, and the one of a batch's photo. */
export const photoParts = {
  several: {
    schema: { type: 'array', minItems: 1, maxItems: limits.photos, items: photo },
    contentType,
  },
  one: { schema: photo, contentType },
} as const satisfies Record<string, FilePart>;

/** The CV of an application. */
export const cvPart: FilePart = {
  schema: file(`PDF, DOCX, ODT or DOC, at most ${megabytes(limits.cvBytes)}.`),
  contentType: [
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.oasis.opendocument.text',
    'application/msword',
  ].join(', '),
};

/** The header that makes a request idempotent; `idempotencyKeyOf` (server/generations/idempotency.ts) reads it. */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .min(1)
    .max(limits.idempotencyKeyCharacters)
    .optional()
    .describe(
      'Visible ASCII characters of your choice: a repeated request with the same key gets the first answer.',
    ),
});

/** The header that chooses a version of the API for programs; `requireKey` (server/auth/api-key.ts) reads it. */
export const versionHeaders = z.object({
  'Packshot-Version': z
    .enum(v1Versions)
    .optional()
    .describe('The version in which to answer, by its date; that of the key unless given.'),
});

/** Security of a route that reads a session if there is one, and works without. */
export const optionalSession: readonly Record<string, string[]>[] = [{}, { cookie: [] }, { bearer: [] }];
