/** The content of an error reply in Stripe's format: `{error: {type, code, message, param, …}}`. */
interface ErrorDetail {
  type: 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';
  message: string;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  /** The objects that a card error refers to, as the API shows them. */
  payment_intent?: object | undefined;
  payment_method?: object | undefined;
}

/** Thrown by every operation that fails. It rolls back the transaction. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly detail: ErrorDetail;

  constructor(status: number, detail: ErrorDetail) {
    super(detail.message);
    this.name = 'StripeApiError';
    this.status = status;
    this.detail = detail;
  }
}

/** The JSON body of an error reply. */
export function errorBody(error: StripeApiError, requestId: string): { error: Record<string, unknown> } {
  const { code } = error.detail;
  return {
    error: {
      ...error.detail,
      ...(code === undefined
        ? {}
        : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
    },
  };
}

/** 400: a parameter is invalid, or the object it names is in the wrong state. */
export function invalidRequest(message: string, param?: string, code?: string): StripeApiError {
  return new StripeApiError(400, { type: 'invalid_request_error', message, param, code });
}

/** 404 for an unknown id in the path, 400 for one in the parameters. */
export function noSuch(what: string, id: string, param = 'id'): StripeApiError {
  return new StripeApiError(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

/** 401: the key is missing or is not a test key. */
export function invalidApiKey(key: string | undefined): StripeApiError {
  const message =
    key === undefined
      ? 'You did not provide an API key. Send it as "Authorization: Bearer <key>".'
      : `Invalid API Key provided: ${key.slice(0, 8)}***. This local server takes test keys only (sk_test_…).`;
  return new StripeApiError(401, { type: 'invalid_request_error', message });
}

/** 404: unknown method and path. */
export function unknownRoute(method: string, path: string): StripeApiError {
  return new StripeApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). This local server does not have it.`,
  });
}

/** 402: the card was declined. */
export function cardError(
  decline: { code: string; declineCode: string | null; message: string },
  about: { payment_intent?: object; payment_method?: object } = {},
): StripeApiError {
  return new StripeApiError(402, {
    type: 'card_error',
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode === null ? {} : { decline_code: decline.declineCode }),
    ...about,
  });
}

/** 500: an internal error. The cause is logged and never sent to the client. */
export function serverError(): StripeApiError {
  return new StripeApiError(500, { type: 'api_error', message: 'Something went wrong on this server.' });
}
