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

const fileReplies = new WeakMap<object, readonly string[]>();

/** Whether the schema of a reply comes from {@link fileReply}. */
export const isFileReply = (schema: object) => fileReplies.has(schema);

/** The media types of a reply that is a file; undefined for all others. */
export const mediaTypesOf = (schema: object) => fileReplies.get(schema);

/** Whether a route is of static files, pages or the pages of the API documentation, which plugins register. */
export const isHidden = (schema: FastifySchema | undefined) =>
  schema !== undefined && 'hide' in schema && schema.hide === true;
