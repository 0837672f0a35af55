import OpenAI, { APIConnectionError, APIError, toFile } from 'openai';
import type { Config } from '../shared/config.ts';
import { type ImageQuality, limits } from '../shared/contract/index.ts';

/**
 * Why a call gave no image:
 * `rejected`  the provider refused this request and would refuse it again
 * `content`   its content policy refused the scene or a photo
 * `photos`    it cannot use a photo: the same one would be refused again
 * `account`   our key, organisation or budget: nothing that a seller can change
 * `busy`      refused for now, surely not executed (429, no connection)
 * `server`    a server error, or an answer that broke off: it may have been executed
 * `silent`    the stream stalled
 * `late`      the whole call took too long
 * `nonsense`  an answer without a usable image
 * `aborted`   we stopped it
 */
export type ProviderErrorKind =
  | 'rejected'
  | 'content'
  | 'photos'
  | 'account'
  | 'busy'
  | 'server'
  | 'silent'
  | 'late'
  | 'nonsense'
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

export interface ProviderRequest {
  prompt: string;
  /** PNG files, in the seller's order; every one is sent. */
  photos: Buffer[];
  quality: ImageQuality;
  signal: AbortSignal;
  /** Called when the provider has the photos and begins its answer. */
  onAccepted: () => void;
  /** Takes each preview (PNG) as it comes, counted from 0. */
  onPreview: (png: Buffer, index: number) => void;
}

export interface ProviderResult {
  image: Buffer;
  requestId: string | null;
  /** From the request to the last byte. */
  milliseconds: number;
  usage: unknown;
}

export interface Provider {
  /** Asks for one image. @throws ProviderError */
  edit(request: ProviderRequest): Promise<ProviderResult>;
}

/** OpenAI's image edits, streamed. Facts of the protocol: https://platform.openai.com/docs/api-reference/images */
export function createProvider(config: Config['image']): Provider {
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl,
    // The queue retries: the SDK would send the same edit twice without our knowing, and both would be billed.
    maxRetries: 0,
    // A backstop: the watchdog below is the one that knows why it stops a call.
    timeout: config.timeoutMs + 10_000,
    // What it has to say comes with the error, which we log; it would write to the console past our log.
    logLevel: 'off',
  });
  return {
    async edit({ prompt, photos, quality, signal, onAccepted, onPreview }) {
      const began = performance.now();
      const watch = watchdog(signal, config.timeoutMs, config.stallMs);
      let requestId: string | null = null;
      try {
        const files = await Promise.all(
          photos.map((photo, index) => toFile(photo, `photo-${index}.png`, { type: 'image/png' })),
        );
        const { data: stream, request_id } = await client.images
          .edit(
            {
              model: config.model,
              prompt,
              image: files,
              n: limits.imagesPerGeneration,
              size: `${limits.outputWidth}x${limits.outputHeight}`,
              quality,
              output_format: 'png',
              stream: true,
              partial_images: config.previews,
            },
            { signal: watch.signal },
          )
          .withResponse();
        requestId = request_id ?? null;
        onAccepted();
        for await (const event of stream) {
          watch.heard();
          if (event.type === 'image_edit.partial_image') {
            onPreview(Buffer.from(event.b64_json, 'base64'), event.partial_image_index);
          } else if (isErrorEvent(event)) {
            const { code, message } = event;
            const kind = kindOf({ status: undefined, code, type: undefined });
            throw new ProviderError(kind, message ?? 'an error in the middle of the stream', {
              code,
              requestId,
            });
          } else if (event.type === 'image_edit.completed') {
            if (!event.b64_json)
              throw new ProviderError('nonsense', 'the answer has no image', { requestId });
            return {
              image: Buffer.from(event.b64_json, 'base64'),
              requestId,
              milliseconds: Math.round(performance.now() - began),
              usage: event.usage ?? null,
            };
          }
        }
        // The SDK ends its loop quietly on a cut or aborted stream: only `completed` is success.
        throw new ProviderError('server', 'the stream ended without an image', { requestId });
      } catch (error) {
        throw classify(error, watch.reason(), requestId);
      } finally {
        watch.stop();
      }
    },
  };
}

/** An error within the stream that has no `error` object of its own: the SDK hands it on like any other event. */
function isErrorEvent(
  event: unknown,
): event is { type: 'error'; code?: string | null; message?: string | null } {
  return (event as { type?: unknown }).type === 'error';
}

/** Aborts a call that takes too long as a whole or falls silent; the SDK's own timeout covers no stalled stream. */
function watchdog(signal: AbortSignal, timeoutMs: number, stallMs: number) {
  const controller = new AbortController();
  let reason: 'aborted' | 'late' | 'silent' | undefined;
  const abort = (why: NonNullable<typeof reason>) => () => {
    reason ??= why;
    controller.abort();
  };
  const aborted = abort('aborted');
  if (signal.aborted) aborted();
  signal.addEventListener('abort', aborted, { once: true });
  const late = setTimeout(abort('late'), timeoutMs);
  const silent = setTimeout(abort('silent'), stallMs);
  return {
    signal: controller.signal,
    heard: () => silent.refresh(),
    reason: () => reason,
    stop: () => {
      signal.removeEventListener('abort', aborted);
      clearTimeout(late);
      clearTimeout(silent);
    },
  };
}

/** 429 codes that mean our budget is used up: waiting does not help. */
const budgetCodes = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
]);

/** Codes for a photo that the provider cannot read or make an image of. */
const photoCodes = new Set(['invalid_image_file', 'invalid_image']);

/** Connection errors before a request can have been executed. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function classify(
  error: unknown,
  stopped: 'aborted' | 'late' | 'silent' | undefined,
  requestId: string | null,
): ProviderError {
  if (stopped) {
    const words = {
      aborted: 'the call was stopped',
      late: 'the call took too long',
      silent: 'the stream fell silent',
    };
    return new ProviderError(stopped, words[stopped], { requestId, cause: error });
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
    return new ProviderError(kindOf(error), error.message, details);
  }
  // A socket that is cut in the middle of a stream, or an answer that is no JSON.
  return new ProviderError('server', error instanceof Error ? error.message : String(error), {
    requestId,
    cause: error,
  });
}

function kindOf({
  status,
  code,
  type,
}: {
  status: number | undefined;
  code?: string | null | undefined;
  type?: string | undefined;
}): ProviderErrorKind {
  if (code === 'moderation_blocked' || code === 'content_policy_violation') return 'content';
  // Without a status it came within the stream, whose answer began with 200.
  if ((status === 400 || status === undefined) && photoCodes.has(code ?? '')) return 'photos';
  if (status === 429 || code === 'rate_limit_exceeded' || code === 'slow_down') {
    return budgetCodes.has(code ?? '') || type === 'insufficient_quota' ? 'account' : 'busy';
  }
  if (status === 401 || status === 403) return 'account';
  if (status === 408 || status === 409) return 'busy';
  // Without a status it is an error in the middle of a stream.
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
