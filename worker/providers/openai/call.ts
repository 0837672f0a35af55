import OpenAI, { toFile } from 'openai';
import type { Announcement } from '#shared/provider/limiter.ts';
import { type CallInput, type CallOutput, ProviderError } from '../provider.ts';
import { classify } from './classify.ts';
import type { ThreadSettings } from './messages.ts';
import { announcementOf } from './rate-headers.ts';
import { streamEvents } from './stream.ts';

/** What a call tells while it runs. */
export interface CallListener {
  signal: AbortSignal;
  onAccepted(announcement: Announcement | null): void;
  onPreview(png: Buffer<ArrayBuffer>, index: number): void;
}

/** @returns a function that calls OpenAI's image edits, with streaming (docs/provider.md). It throws ProviderError */
export function createCall(
  settings: ThreadSettings,
): (input: CallInput, listener: CallListener) => Promise<CallOutput<Buffer<ArrayBuffer>>> {
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    // The queue retries. The SDK would repeat a call without telling us, and both would be billed.
    maxRetries: 0,
    // The watchdog below normally stops a call first, and records why.
    timeout: settings.timeoutMs + 10_000,
    // The SDK would log to the console. We log its errors ourselves.
    logLevel: 'off',
  });
  return async (input, { signal, onAccepted, onPreview }) => {
    const began = performance.now();
    const watch = watchdog(signal, settings.timeoutMs, settings.stallMs);
    let requestId: string | null = null;
    try {
      const response = await client.images
        .edit(await requestOf(settings, input), { signal: watch.signal })
        .asResponse();
      requestId = response.headers.get('x-request-id');
      onAccepted(announcementOf(response.headers));
      for await (const event of streamEvents(response, requestId)) {
        watch.heard();
        if (event.type === 'image_edit.partial_image') {
          onPreview(event.image, event.partial_image_index);
        } else if (event.type === 'image_edit.completed') {
          if (event.image.length === 0)
            throw new ProviderError('invalid_response', 'the answer has no image', { requestId });
          return {
            image: event.image,
            requestId,
            milliseconds: Math.round(performance.now() - began),
            usage: event.usage ?? null,
          };
        }
      }
      // A stream may end early without an error: only `completed` is success.
      throw new ProviderError('server', 'the stream ended without an image', { requestId });
    } catch (error) {
      throw classify(error, watch.reason(), requestId);
    } finally {
      watch.stop();
    }
  };
}

async function requestOf({ model, previews, takesSeeds }: ThreadSettings, input: CallInput) {
  const { prompt, photos, mask, width, height, background, seed, quality } = input;
  return {
    model,
    prompt,
    image: photos.map(
      (photo, index) =>
        new File([photo], `photo-${index}.${photo.type.slice('image/'.length)}`, { type: photo.type }),
    ),
    ...(mask && { mask: await toFile(mask, 'mask.png', { type: 'image/png' }) }),
    n: 1,
    size: `${width}x${height}`,
    background,
    // Not a parameter of OpenAI's: only the local renderer takes it.
    ...(takesSeeds && seed !== null && { seed }),
    quality,
    output_format: 'png',
    stream: true,
    partial_images: previews,
  } as const;
}

/** Aborts a call that takes too long or whose stream stalls. The SDK's own timeout does not cover a stalled stream. */
function watchdog(signal: AbortSignal, timeoutMs: number, stallMs: number) {
  const controller = new AbortController();
  let reason: 'aborted' | 'timeout' | 'stalled' | undefined;
  const abort = (why: NonNullable<typeof reason>) => () => {
    reason ??= why;
    controller.abort();
  };
  const aborted = abort('aborted');
  if (signal.aborted) aborted();
  signal.addEventListener('abort', aborted, { once: true });
  const total = setTimeout(abort('timeout'), timeoutMs);
  const stall = setTimeout(abort('stalled'), stallMs);
  return {
    signal: controller.signal,
    heard: () => stall.refresh(),
    reason: () => reason,
    stop: () => {
      signal.removeEventListener('abort', aborted);
      clearTimeout(total);
      clearTimeout(stall);
    },
  };
}
