/**
 * Why a call gave no image:
 * - `rejected`: the provider refused the request and would refuse it again
 * - `content`: its content policy refused the scene or a photo
 * - `photos`: it cannot read or use a photo
 * - `account`: our key, organisation or budget; no seller can change that
 * - `busy`: refused for now and certainly not executed (429, connection refused, an overloaded server)
 * - `server`: a server error or an interrupted answer; it may have been executed
 * - `stalled`: the stream stalled
 * - `timeout`: the whole call took too long
 * - `invalid_response`: an answer without a usable image
 * - `aborted`: we stopped it
 */
export type ProviderErrorKind =
  | 'rejected'
  | 'content'
  | 'photos'
  | 'account'
  | 'busy'
  | 'server'
  | 'stalled'
  | 'timeout'
  | 'invalid_response'
  | 'aborted';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly status: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  /** How long the provider asks us to wait, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: {
      status?: number | null | undefined;
      code?: string | null | undefined;
      requestId?: string | null | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs;
  }
}
