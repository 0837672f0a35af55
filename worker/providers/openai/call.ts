import { createHmac } from 'node:crypto';
import OpenAI, { toFile } from 'openai';
import type { Announcement } from '#shared/provider/limiter.ts';
import { type CallInput, type CallOutput, ProviderError } from '../provider.ts';
import { classify } from './classify.ts';
import type { ThreadSettings } from './messages.ts';
import { announcementOf } from './rate-headers.ts';
import { fetchReply, replyBytesMost } from './replies.ts';
import { streamEvents } from './stream.ts';
import { startWatchdog } from './watchdog.ts';

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
    fetch: fetchReply,
    // The watchdog normally stops a call first, and records why.
    timeout: settings.timeoutMs + 10_000,
    // The SDK would log to the console. We log its errors ourselves.
    logLevel: 'off',
  });
  return async (input, { signal, onAccepted, onPreview }) => {
    const began = performance.now();
    const watch = startWatchdog(signal, settings);
    const bytesMost = replyBytesMost(input, settings.previews);
    let requestId: string | null = null;
    try {
      const response = await client.images
        .edit(await requestOf(settings, input), { signal: watch.signal })
        .asResponse();
      watch.heard();
      requestId = response.headers.get('x-request-id');
      onAccepted(announcementOf(response.headers));
      for await (const event of streamEvents(response, { requestId, bytesMost, onBytes: watch.heard })) {
        watch.began();
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

async function requestOf(settings: ThreadSettings, input: CallInput) {
  const { model, previews, takesSeeds, apiKey, identifiesSellers } = settings;
  const { seller, prompt, photos, mask, width, height, background, seed, quality } = input;
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
    ...(takesHighFidelity(model) && { input_fidelity: 'high' as const }),
    ...(identifiesSellers && { safety_identifier: safetyIdentifier(seller, apiKey) }),
    output_format: 'png',
    stream: true,
    partial_images: previews,
  } as const;
}

/**
 * Whether a model keeps the details of photos only when it is told to: its default is `low`. Models from 2 on always keep
 * them and refuse the parameter, and the mini model refuses `high`.
 */
export function takesHighFidelity(model: string): boolean {
  return /^gpt-image-1(\.5)?(-\d{4}-\d{2}-\d{2})?$/.test(model);
}

/**
 * Stands for a seller in the provider's reports of abuse. With a key, because a plain hash could be reversed: ids of accounts
 * contain the time and a counter, so who knows one can guess others.
 */
export function safetyIdentifier(seller: string, key: string): string {
  return createHmac('sha256', key).update(seller).digest('hex');
}
