import type { PhotoFault } from '../../../shared/cutout/photo-problem.ts';

/** An error reply in OpenAI's format: HTTP status, and a body `{error: {message, type, param, code}}`. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly moderation: ModerationDetails | undefined;
  readonly photo: PhotoFault | undefined;

  constructor(
    status: number,
    detail: {
      message: string;
      type: string;
      param?: string | null;
      code?: string | null;
      moderation?: ModerationDetails | undefined;
      photo?: PhotoFault | undefined;
    },
  ) {
    super(detail.message);
    this.name = 'ApiError';
    this.status = status;
    this.type = detail.type;
    this.param = detail.param ?? null;
    this.code = detail.code ?? null;
    this.moderation = detail.moderation;
    this.photo = detail.photo;
  }
}

/** What was refused, and why. */
interface ModerationDetails {
  moderation_stage: 'input' | 'output';
  categories: string[];
}

/** The JSON body of an error reply. */
export function errorBody({ message, type, param, code, moderation, photo }: ApiError): { error: object } {
  const details = {
    ...(moderation && { moderation_details: moderation }),
    // OpenAI sends nothing like it.
    ...(photo && { photo_details: photo }),
  };
  return { error: { message, type, param, code, ...details } };
}

/** 400: a field of the request is invalid. */
export function invalidRequest(message: string, param: string, code: string): ApiError {
  return new ApiError(400, { message, type: 'invalid_request_error', param, code });
}

/** 400: an image cannot be used; the message says why. @param photo which one, as far as it is known */
export function invalidImageFile(message: string, photo?: PhotoFault): ApiError {
  return new ApiError(400, {
    message,
    type: 'image_generation_user_error',
    code: 'invalid_image_file',
    photo,
  });
}

/** 400: a required field is missing. */
export function missingParameter(param: string): ApiError {
  return invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

/** 401: the bearer key is missing or empty. */
export function invalidApiKey(): ApiError {
  return new ApiError(401, {
    message: 'No API key was provided. Send it as "Authorization: Bearer <key>".',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  });
}

/** 404: there is no such model. */
export function modelNotFound(model: string): ApiError {
  return new ApiError(404, {
    message: `The model '${model}' does not exist`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

/** 404: unknown method and path. */
export function unknownRoute(method: string, path: string): ApiError {
  return new ApiError(404, {
    message: `Invalid URL (${method} ${path})`,
    type: 'invalid_request_error',
    code: 'unknown_url',
  });
}

/** 500: an internal error. The cause is logged and never sent to the client. */
export function serverError(): ApiError {
  return new ApiError(500, {
    message: 'The server had an error while processing your request.',
    type: 'server_error',
    code: 'server_error',
  });
}
