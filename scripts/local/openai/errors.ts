/** An error reply in OpenAI's format: HTTP status, and a body `{error: {message, type, param, code}}`. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: number,
    detail: { message: string; type: string; param?: string | null; code?: string | null },
  ) {
    super(detail.message);
    this.name = 'ApiError';
    this.status = status;
    this.type = detail.type;
    this.param = detail.param ?? null;
    this.code = detail.code ?? null;
  }
}

/** The JSON body of an error reply. */
export function errorBody(error: ApiError): { error: Record<string, string | null> } {
  return { error: { message: error.message, type: error.type, param: error.param, code: error.code } };
}

/** 400: a field of the request is invalid. */
export function invalidRequest(message: string, param: string, code: string): ApiError {
  return new ApiError(400, { message, type: 'invalid_request_error', param, code });
}

/** 400: an image cannot be used; the message says why. */
export function invalidImageFile(message: string): ApiError {
  return new ApiError(400, { message, type: 'image_generation_user_error', code: 'invalid_image_file' });
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
