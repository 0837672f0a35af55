/** Classifies errors of calls to the provider. */
import { APIConnectionError, APIError } from 'openai';
import { ProviderError } from '../provider.ts';
import { type ErrorParts, kindOf } from './error-kinds.ts';
import { moderationOf } from './moderation.ts';
import { photoFaultOf } from './photo-fault.ts';
import type { StopReason } from './watchdog.ts';

/** Codes of connections that failed before the request was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Classifies anything that a call threw.
 * @param stopped why we stopped the call ourselves; undefined if we did not
 * @param requestId the provider's id of the call; null if its answer had not begun
 */
export function classify(
  error: unknown,
  stopped: StopReason | undefined,
  requestId: string | null,
): ProviderError {
  if (stopped) {
    const messages = {
      aborted: 'the call was stopped',
      timeout: 'the call took too long',
      stalled: 'the reply stalled',
    };
    return new ProviderError(stopped, messages[stopped], { requestId, cause: error });
  }
  if (error instanceof ProviderError) return error;
  if (error instanceof APIConnectionError) {
    return new ProviderError(wasNeverSent(error) ? 'busy' : 'server', 'the connection failed', {
      cause: error,
    });
  }
  if (error instanceof APIError) {
    return replyError(error.error, error.message, {
      status: error.status as number | undefined,
      requestId: error.requestID ?? requestId,
      retryAfterMs: retryAfter(error.headers),
      cause: error,
    });
  }
  // A connection that was lost in mid-stream, or an answer that is not JSON.
  return new ProviderError('server', error instanceof Error ? error.message : String(error), {
    requestId,
    cause: error,
  });
}

/**
 * The error that the provider sent, as the body of a reply or in its stream.
 * @param sent its `error`, of any shape
 * @param details without a status for an error in mid-stream
 */
export function replyError(
  sent: unknown,
  message: string,
  details: {
    status?: number | undefined;
    requestId: string | null;
    retryAfterMs?: number | undefined;
    cause?: unknown;
  },
): ProviderError {
  const { status, retryAfterMs } = details;
  const { code, type, param } = Object(sent) as Partial<Omit<ErrorParts, 'status'>>;
  const told = kindOf({ status, code, type, param });
  // With `retry-after` the server refused the request. Without it, a gateway may have lost a server that was executing it.
  const kind = told === 'server' && status === 503 && retryAfterMs !== undefined ? 'busy' : told;
  const moderation = kind === 'content' ? moderationOf(sent) : null;
  const photo = kind === 'photos' ? photoFaultOf(sent) : null;
  return new ProviderError(kind, message, { ...details, code: code ?? type, moderation, photo });
}

function wasNeverSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && neverSent.has(String(cause.code))) return true;
  }
  return false;
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const text = headers?.get('retry-after');
  if (!text) return undefined;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
