import type { FastifyError } from 'fastify';
import plugin from 'fastify-plugin';
import { z } from 'zod';
import type { ErrorCode } from '../../shared/contract/index.ts';
import { Refusal } from '../../shared/errors.ts';
import { refusalOf } from '../validation.ts';

/** What the errors of Fastify and its plugins mean to the person who sees them. */
const knownErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'UPLOAD_ABORTED',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_INVALID_JSON_FIELD_ERROR: 'BAD_JSON',
  FST_FILES_LIMIT: 'TOO_MANY_FILES',
  FST_FIELDS_LIMIT: 'TOO_MANY_FIELDS',
  FST_PARTS_LIMIT: 'TOO_MANY_FIELDS',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  FST_PROTO_VIOLATION: 'VALIDATION',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
};

/** One shape for every error answer. */
export const errors = plugin(async (app) => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
    return reply.status(refusal.status).send(refusal.toReply(request.id));
  });
});

function toRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (error.validation) {
    const { cause } = error;
    if (cause instanceof z.ZodError) return refusalOf(cause);
    const field = String(error.validation[0]?.instancePath ?? '')
      .replace(/^\//, '')
      .replaceAll('/', '.');
    const message = error.validation[0]?.message;
    return new Refusal('VALIDATION', { field, ...(message ? { message } : {}) });
  }
  const code = knownErrors[error.code];
  if (code) return new Refusal(code, { cause: error });
  if (error.name === 'MongoServerSelectionError') return new Refusal('UNAVAILABLE', { cause: error });
  return new Refusal('INTERNAL', { cause: error });
}
