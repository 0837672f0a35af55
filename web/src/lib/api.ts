import type { z } from 'zod';
import { clientErrors, type ErrorCode, type ErrorReply, type SecondFactor } from '#contract';
import { recordServerTime } from './clock.ts';
import { releaseWatch } from './release.ts';

/**
 * `NETWORK`: no reply. `UNREADABLE`: a reply that does not match the contract. `UNCLEAR`: one that does not say whether it worked.
 * `ABORTED`: cancelled by the seller. `COOKIES_BLOCKED`: the browser keeps no session.
 * `PASSKEY_STOPPED`: the browser's window for passkeys was closed.
 * `FILE_UNREADABLE`: a chosen file cannot be read any more.
 */
export type FailureCode =
  | ErrorCode
  | 'NETWORK'
  | 'UNREADABLE'
  | 'UNCLEAR'
  | 'ABORTED'
  | 'COOKIES_BLOCKED'
  | 'PASSKEY_STOPPED'
  | 'FILE_UNREADABLE';

/** A successful reply that says nothing but its status. */
export interface WithoutContent {
  status: 202 | 204;
  /** How the seller finds out whether it worked, if something else replied: a proxy, or the sign-in page of a network. */
  check: string;
}

/** The error that every API call throws; `message` is meant for the seller. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: FailureCode;
  /** The invalid field, if the error is about one. */
  readonly field: string | undefined;
  /** The id of a request that failed unexpectedly; the message ends with its reference. */
  readonly requestId: string | undefined;
  /** What the account has, if the error asks for a second factor. */
  factors: readonly SecondFactor[] = [];

  constructor(code: FailureCode, message: string, field?: string, requestId?: string) {
    super(withReference(message, requestId));
    this.code = code;
    this.field = field;
    this.requestId = requestId;
  }
}

/** A message, and the beginning of the request's id, by which we find in our logs what a seller reports. */
export function withReference(message: string, requestId: string | null | undefined): string {
  return requestId ? `${message} (Reference: ${requestId.slice(0, 8)})` : message;
}

/** The error for a call without a reply. */
export function networkError(): ApiError {
  return new ApiError('NETWORK', "We couldn't reach Packshot. Check your connection and try again.");
}

/** The message to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : clientErrors.INTERNAL[1];
}

/** Like {@link messageOf}, but `fallback` if the error has no specific message. */
export function messageOrFallback(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const specific = !['INTERNAL', 'UNREADABLE'].includes(error.code);
  return specific ? error.message : withReference(fallback, error.requestId);
}

/** Errors that leave open whether the server executed the request. */
const unknownOutcome: readonly FailureCode[] = [
  'NETWORK',
  'UNREADABLE',
  'UNCLEAR',
  'ABORTED',
  'UNAVAILABLE',
  'INTERNAL',
  // This request was refused, but the server may still be executing an earlier one with the same key.
  'REQUEST_TIMEOUT',
  'TOO_MANY_UPLOADS',
  'RATE_LIMITED',
];

/** Whether the server may have executed the request despite this error; a retry must then reuse its key. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || unknownOutcome.includes(error.code);
}

let unauthenticatedListener: () => void = () => {};

/** Sets the listener for calls that find that the session has ended. */
export function onUnauthenticated(listener: () => void): void {
  unauthenticatedListener = listener;
}

/** Errors that confirming the session mends. */
export type Unconfirmed = Extract<ErrorCode, 'CONFIRM_REQUIRED' | 'OPERATOR_CODE'>;

let confirmationListener: ((code: Unconfirmed) => Promise<boolean>) | null = null;

/**
 * Sets what asks the seller to confirm the session when a call needs that, and tells whether they did: then the call is
 * repeated. @param listener null when nothing asks any more
 */
export function onUnconfirmed(listener: typeof confirmationListener): void {
  confirmationListener = listener;
}

/**
 * Parses a reply by the contract.
 * @param text the body
 * @param success the schema of the body of a successful reply, or what it is without one
 * @throws ApiError for an error reply, and for one that does not match the contract
 */
export function readReply<T>(status: number, text: string, success: z.ZodType<T> | WithoutContent): T {
  const body = parseJson(text);
  if (status < 200 || status >= 300) throw readError(status, body);
  if ('status' in success) {
    if (status === success.status && contentOf[success.status] === text) return undefined as T;
    throw new ApiError('UNCLEAR', `We can't tell whether that worked. ${success.check}`);
  }
  const reply = success.safeParse(body);
  if (reply.success) return reply.data;
  throw unreadableError();
}

/** The body of a reply without content. */
const contentOf = { 202: '{}', 204: '' };

/** Parses JSON; null if the text is not JSON, for example a proxy's error page. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readError(status: number, body: unknown): ApiError {
  if (isErrorReply(body)) {
    const { code, message, field, requestId } = body.error;
    if (code === 'UNAUTHENTICATED') unauthenticatedListener();
    const error = new ApiError(code, message, field, status === 500 ? requestId : undefined);
    error.factors = body.error.factors ?? [];
    return error;
  }
  // From a proxy while the server is down or restarting.
  if (status >= 502 && status <= 504) return new ApiError('UNAVAILABLE', clientErrors.UNAVAILABLE[1]);
  return unreadableError();
}

/** Without `errorReplySchema`, because public pages do not load zod. */
function isErrorReply(body: unknown): body is ErrorReply {
  const { code, message, field } = (body as Partial<ErrorReply> | null)?.error ?? {};
  return (
    typeof code === 'string' &&
    typeof message === 'string' &&
    (field === undefined || typeof field === 'string')
  );
}

/** The error for a reply that does not match the contract. */
export function unreadableError(): ApiError {
  return new ApiError('UNREADABLE', clientErrors.INTERNAL[1]);
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type CallOptions = { body?: unknown; signal?: AbortSignal; idempotencyKey?: string };

/**
 * Calls the API with the session's cookie.
 * @param success the schema of the body of a successful reply, or what it is without one
 * @throws ApiError
 */
export async function callApi<T>(
  method: Method,
  path: string,
  success: z.ZodType<T> | WithoutContent,
  options: CallOptions = {},
): Promise<T> {
  try {
    return await callOnce(method, path, success, options);
  } catch (error) {
    const code = error instanceof ApiError && error.code;
    if (code !== 'CONFIRM_REQUIRED' && code !== 'OPERATOR_CODE') throw error;
    if (!(await confirmationListener?.(code))) throw error;
    return callOnce(method, path, success, options);
  }
}

/**
 * Gets a reply that is a form.
 * @throws ApiError
 */
export async function getForm(path: string, signal: AbortSignal): Promise<FormData> {
  let reply: Response;
  try {
    reply = await fetch(path, { signal, headers: { accept: 'multipart/form-data, application/json' } });
    recordReply(reply);
    if (reply.headers.get('content-type')?.startsWith('multipart/form-data')) return await reply.formData();
  } catch (error) {
    if (signal.aborted) throw error;
    throw networkError();
  }
  const text = await reply.text().catch(() => '');
  // Something else replied if it is no error: a proxy, or the sign-in page of a network.
  throw reply.ok ? unreadableError() : readError(reply.status, parseJson(text));
}

function recordReply({ headers }: Response): void {
  recordServerTime(headers.get('date'));
  releaseWatch.record(headers);
}

async function callOnce<T>(
  method: Method,
  path: string,
  success: z.ZodType<T> | WithoutContent,
  { body, signal, idempotencyKey }: CallOptions,
): Promise<T> {
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(path, {
      method,
      signal,
      headers:
        body === undefined
          ? { accept: 'application/json' }
          : {
              accept: 'application/json',
              'content-type': 'application/json',
              ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await reply.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw networkError();
  }
  recordReply(reply);
  return readReply(reply.status, text, success);
}
