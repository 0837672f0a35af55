import type { z } from 'zod';
import { type ErrorCode, errorDefinitions, errorReplySchema } from '#contract';
import { noteServerTime } from './clock.ts';

/** `NETWORK`: no answer came. `UNREADABLE`: an answer that is not in the contract. `ABORTED`: given up by the user. */
export type FailureCode = ErrorCode | 'NETWORK' | 'UNREADABLE' | 'ABORTED';

/** The one error that the app's calls throw; `message` is a sentence for the person who sees it. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: FailureCode;
  /** The field that the refusal is about, where there is one. */
  readonly field: string | undefined;

  constructor(code: FailureCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** The error for a call that got no answer. */
export function networkError(): ApiError {
  return new ApiError('NETWORK', 'We could not reach Packshot. Check your connection and try again.');
}

/** What to say about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : errorDefinitions.INTERNAL[1];
}

/** What to say where the server had no words of its own for a failure: `fallback`, in the words of what was tried. */
export function messageOr(error: unknown, fallback: string): string {
  const wordless = !(error instanceof ApiError) || ['INTERNAL', 'UNREADABLE'].includes(error.code);
  return wordless ? fallback : error.message;
}

/** Failures after which the server may have done the work. */
const uncertain: readonly FailureCode[] = [
  'NETWORK',
  'UNREADABLE',
  'ABORTED',
  'UNAVAILABLE',
  'INTERNAL',
  // This one was turned away or came too late, but the server may still be busy with an earlier try of the same.
  'REQUEST_TIMEOUT',
  'TOO_MANY_UPLOADS',
  'RATE_LIMITED',
];

/** Whether the server may have done the work although this error came: the same request may be sent again. */
export function isUncertain(error: unknown): boolean {
  return !(error instanceof ApiError) || uncertain.includes(error.code);
}

let unauthenticated: () => void = () => {};

/** Says what is to happen when any call finds that the session is over. */
export function onUnauthenticated(listener: () => void): void {
  unauthenticated = listener;
}

/**
 * Reads a reply by the contract.
 * @param status HTTP status
 * @param text body
 * @param schema what a successful body is; null for an empty one
 * @throws ApiError for a refusal, and for a body that is not in the contract
 */
export function readReply<T>(status: number, text: string, schema: z.ZodType<T> | null): T {
  let body: unknown = null;
  try {
    if (text !== '') body = JSON.parse(text);
  } catch {
    // A proxy's error page, for instance: judged below like every body that is not in the contract.
  }
  if (status >= 200 && status < 300) {
    if (schema === null) return undefined as T;
    const reply = schema.safeParse(body);
    if (reply.success) return reply.data;
  } else {
    const refusal = errorReplySchema.safeParse(body);
    if (refusal.success) {
      const { code, message, field } = refusal.data.error;
      if (code === 'UNAUTHENTICATED') unauthenticated();
      throw new ApiError(code, message, field);
    }
    if (status >= 502 && status <= 504) throw new ApiError('UNAVAILABLE', errorDefinitions.UNAVAILABLE[1]);
  }
  throw new ApiError('UNREADABLE', errorDefinitions.INTERNAL[1]);
}

/**
 * Calls the API with the session's cookie.
 * @param schema what the reply must be; null when none comes
 * @throws ApiError
 */
export async function callApi<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  schema: z.ZodType<T> | null,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
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
          : { accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await reply.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw networkError();
  }
  noteServerTime(reply.headers.get('date'));
  return readReply(reply.status, text, schema);
}
