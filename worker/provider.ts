import OpenAI, { toFile } from 'openai';
import { type ImageQuality, limits } from '#contract';
import type { Config } from '#shared/platform/config.ts';
import { classify, kindOf, ProviderError } from './provider-error.ts';

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
