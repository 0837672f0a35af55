/** Classifies errors of calls to the provider. */
import { APIConnectionError, APIError } from 'openai';
import { ProviderError, type ProviderErrorKind } from '../provider.ts';

/** 429 codes that mean that our budget is used up: retrying soon does not help. */
const budgetCodes = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
]);

/** Codes of a server that sheds load before it executes a request. */
const overloadCodes = new Set(['server_is_overloaded', 'engine_overloaded', 'slow_down']);

/** Codes for a photo that the provider cannot read or use. */
const photoCodes = new Set(['invalid_image_file', 'invalid_image']);

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
  stopped: 'aborted' | 'timeout' | 'stalled' | undefined,
  requestId: string | null,
): ProviderError {
  if (stopped) {
    const messages = {
      aborted: 'the call was stopped',
      timeout: 'the call took too long',
      stalled: 'the stream stalled',
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
    const details = {
      status: error.status as number | undefined,
      code: (error.code ?? error.type) as string | null | undefined,
      requestId: error.requestID ?? requestId,
      retryAfterMs: retryAfter(error.headers),
      cause: error,
    };
    // With `retry-after` the server refused the request. Without it, a gateway may have lost a server that was executing it.
    const wasRefused = error.status === 503 && details.retryAfterMs !== undefined;
    return new ProviderError(wasRefused ? 'busy' : kindOf(error), error.message, details);
  }
  // A connection that was lost in mid-stream, or an answer that is not JSON.
  return new ProviderError('server', error instanceof Error ? error.message : String(error), {
    requestId,
    cause: error,
  });
}

/** The kind of an error answer. @param status undefined for an error in mid-stream */
export function kindOf({
  status,
  code,
  type,
}: {
  status: number | undefined;
  code?: string | null | undefined;
  type?: string | undefined;
}): ProviderErrorKind {
  if (code === 'moderation_blocked' || code === 'content_policy_violation') return 'content';
  if ((status === 400 || status === undefined) && photoCodes.has(code ?? '')) return 'photos';
  if (overloadCodes.has(code ?? '')) return 'busy';
  if (status === 429 || code === 'rate_limit_exceeded') {
    return budgetCodes.has(code ?? '') || type === 'insufficient_quota' ? 'account' : 'busy';
  }
  if (status === 401 || status === 403) return 'account';
  if (status === 408 || status === 409) return 'busy';
  if (status === undefined || status >= 500) return 'server';
  return 'rejected';
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
