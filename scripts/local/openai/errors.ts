/** An error answer in OpenAI's shape: HTTP status, and a body `{error: {message, type, param, code}}`. */
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

/** The JSON body of an error answer. */
export function errorBody(error: ApiError): { error: Record<string, string | null> } {
  return { error: { message: error.message, type: error.type, param: error.param, code: error.code } };
}

/** 400 about one field of the request. */
export function invalidRequest(message: string, param: string, code: string): ApiError {
  return new ApiError(400, { message, type: 'invalid_request_error', param, code });
}

/** 400 for an image that cannot be used; the message says what is wrong with it. */
export function invalidImageFile(message: string): ApiError {
  return new ApiError(400, { message, type: 'image_generation_user_error', code: 'invalid_image_file' });
}

/** 400 for a field that must be there and is not. */
export function missingParameter(param: string): ApiError {
  return invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

/** 401 for a missing or empty bearer key. */
export function invalidApiKey(): ApiError {
  return new ApiError(401, {
    message: 'No API key was provided. Send it as "Authorization: Bearer <key>".',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  });
}

/** 404 for a method and path nobody serves. */
export function unknownRoute(method: string, path: string): ApiError {
  return new ApiError(404, {
    message: `Invalid URL (${method} ${path})`,
    type: 'invalid_request_error',
    code: 'unknown_url',
  });
}

/** 500 for a failure of this server itself; the cause goes to the log, never to the caller. */
export function serverError(): ApiError {
  return new ApiError(500, {
    message: 'The server had an error while processing your request.',
    type: 'server_error',
    code: 'server_error',
  });
}
