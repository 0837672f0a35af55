import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { type ErrorCode, v1ErrorsPage } from '#contract';
import { isDatabaseUnreachable } from '#shared/data/accounts/unreachable.ts';
import { AppError } from '#shared/platform/errors.ts';
import { currentTrace, newTrace } from '#shared/platform/trace.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';
import { isHidden } from './replies.ts';
import { validationError } from './validation.ts';

/** Our codes for the errors of Fastify and its plugins. */
const knownErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'UPLOAD_ABORTED',
  FST_MP_PREMATURE_CLOSE: 'UPLOAD_ABORTED',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_INVALID_JSON_FIELD_ERROR: 'BAD_JSON',
  FST_FILES_LIMIT: 'TOO_MANY_FILES',
  FST_FIELDS_LIMIT: 'TOO_MANY_FIELDS',
  FST_PARTS_LIMIT: 'TOO_MANY_FIELDS',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  FST_PROTO_VIOLATION: 'VALIDATION',
  FST_ERR_VALIDATION: 'VALIDATION',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_ROUTE_MISSING_CONTENT: 'BAD_REQUEST',
  FST_ERR_INVALID_URL: 'NOT_FOUND',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
};

/** Our codes for refusals of the plugin that serves files, by their status; all others mean that there is no such file. */
const fileErrors: Readonly<Record<number, ErrorCode>> = { 412: 'BAD_REQUEST', 416: 'RANGE_NOT_SATISFIABLE' };

/** Retry-After while MongoDB cannot be reached, in seconds: about the time to elect a new primary. */
const databaseRetrySeconds = 5;

/** Retry-After while the storage folder fails, in seconds: an operator has to repair it. */
const storageRetrySeconds = 120;

/** Our codes for errors of Node's HTTP parser; all others are BAD_REQUEST. */
const unreadable: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Address of the page that explains errors to programs. */
    readonly errorsPage: string;
  }
}

/** Answers every error in the shape of `errorReplySchema`. @param linkUrl where the web app is */
export const errorHandling = plugin<{ linkUrl?: string }>(async (app, { linkUrl = '' }) => {
  app.decorate('errorsPage', linkUrl + v1ErrorsPage);
  app.setErrorHandler<FastifyError>((error, request, reply) => replyWithError(error, request, reply));
});

/** Whether a request is one of a program, also if no route has its address: by its path. */
const isOfPrograms = ({ url }: FastifyRequest) => /^\/api\/v1(?:[/?]|$)/.test(url);

/**
 * Answers an error. Fastify also calls it for errors before routing, such as a malformed path. Programs are told which page explains
 * it.
 */
export function replyWithError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const appError = fileErrorOf(error, request) ?? toAppError(error, request.isMultipart?.() ?? false);
  if (error instanceof StorageError) logStorageError(request.log, error);
  else if (appError.status >= 500) request.log.error({ err: error }, 'request failed');
  // Otherwise the rest of the body would be read as the next request.
  if (appError.code === 'REQUEST_TIMEOUT') reply.header('connection', 'close');
  if (appError.retryAfterSeconds !== undefined) reply.header('retry-after', appError.retryAfterSeconds);
  // Errors before routing skip all hooks.
  reply.header('x-request-id', request.id);
  const docs = isOfPrograms(request) ? request.server.errorsPage : undefined;
  return reply.status(appError.status).send(appError.toReply(request.id, docs));
}

/**
 * Gives an error without an answer of its own another code than INTERNAL.
 * @returns a function for `catch`, which throws it
 */
export function failWith(code: ErrorCode): (cause: unknown) => never {
  return (cause) => {
    const known = toAppError(cause as FastifyError, false).code !== 'INTERNAL';
    throw known ? cause : new AppError(code, { cause });
  };
}

/** Answers bytes that Node cannot parse as HTTP. There is no request or response object, so it writes to the socket. */
export function replyToUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const appError = new AppError(unreadable[error.code ?? ''] ?? 'BAD_REQUEST');
  const { id } = newTrace();
  const body = JSON.stringify(appError.toReply(id));
  const head = [
    `HTTP/1.1 ${appError.status} ${STATUS_CODES[appError.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => {
    // If the headers complete after this answer, they must not become a request.
    if (appError.code === 'REQUEST_TIMEOUT') socket.destroy();
  });
}

/** Answers a request without Fastify and closes its connection. */
export function replyRaw(response: ServerResponse, appError: AppError): void {
  // The deadline of a request runs in its trace.
  const { id } = currentTrace() ?? newTrace();
  response
    .writeHead(appError.status, {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': id,
      connection: 'close',
    })
    .end(JSON.stringify(appError.toReply(id)));
}

/** The refusal of a path, such as one with `%2e%2e` or NUL, or of a header, by the plugin that serves files. */
function fileErrorOf(error: FastifyError, { routeOptions }: FastifyRequest): AppError | undefined {
  const { statusCode: status = 500 } = error;
  if (error instanceof AppError || status >= 500 || !isHidden(routeOptions?.schema)) return undefined;
  return new AppError(fileErrors[status] ?? 'NOT_FOUND', { cause: error });
}

/** @param takesPhotos whether the request is an upload of photos */
function toAppError(error: FastifyError, takesPhotos: boolean): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageError) {
    return new AppError(takesPhotos ? 'STORAGE_UNAVAILABLE' : 'UNAVAILABLE', {
      retryAfterSeconds: storageRetrySeconds,
      cause: error,
    });
  }
  const issue = error.validation?.[0];
  if (issue) {
    return validationError({
      code: issue.keyword,
      message: issue.message ?? '',
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      keys: issue.params.keys as string[] | undefined,
    });
  }
  const code = knownErrors[error.code];
  if (code) return new AppError(code, { cause: error });
  if (isDatabaseUnreachable(error)) {
    return new AppError('UNAVAILABLE', { retryAfterSeconds: databaseRetrySeconds, cause: error });
  }
  return new AppError('INTERNAL', { cause: error });
}
