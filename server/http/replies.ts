import type { Readable } from 'node:stream';
import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorReplySchema } from '#contract';

/** The error replies that a route documents: the same schema under each status. */
export function errorReplies<Status extends number>(
  ...statuses: Status[]
): Record<Status, typeof errorReplySchema> {
  return Object.fromEntries(statuses.map((status) => [status, errorReplySchema])) as Record<
    Status,
    typeof errorReplySchema
  >;
}

/**
 * The schema of a reply that is a file. Fastify sends streams and buffers without a schema, so this one only ever sees
 * an object that was sent by mistake, and refuses it.
 * @param description what the API's documentation says
 * @param mediaTypes of the files that it can be
 */
export function fileReply(description: string, ...mediaTypes: readonly string[]) {
  const schema = z.custom<Readable | Uint8Array>(() => false).describe(description);
  fileReplies.set(schema, mediaTypes);
  return schema;
}

/**
 * The schema of a reply that is a multipart form with files.
 * @param description what the API's documentation says
 * @param parts by name: the schema of one that is JSON, or the media types that a file can have
 */
export function formReply(description: string, parts: Readonly<Record<string, FormPart>>) {
  const schema = fileReply(description, 'multipart/form-data');
  formReplies.set(schema, parts);
  return schema;
}

/** A part of a reply that is a form: JSON, or a file of one of these media types. */
type FormPart = z.ZodType | readonly string[];

const fileReplies = new WeakMap<object, readonly string[]>();
const formReplies = new WeakMap<object, Readonly<Record<string, FormPart>>>();

/** Whether the schema of a reply comes from {@link fileReply} or {@link formReply}. */
export const isFileReply = (schema: object) => fileReplies.has(schema);

/** The parts of a reply that is a form; undefined for all others. */
export const formPartsOf = (schema: object) => formReplies.get(schema);

/** The media types of a reply that is a file; undefined for all others. */
export const mediaTypesOf = (schema: object) => fileReplies.get(schema);

/** Whether a route is of static files, pages or the pages of the API documentation, which plugins register. */
export const isHidden = (schema: FastifySchema | undefined) =>
  schema !== undefined && 'hide' in schema && schema.hide === true;
