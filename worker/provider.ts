import OpenAI, { toFile } from 'openai';
import type { GenerationOptions, ImageQuality } from '#contract';
import type { Config } from '#shared/platform/config.ts';
import { imageCapabilitiesOf } from '#shared/platform/image-models.ts';
import type { Announcement } from '#shared/provider/limiter.ts';
import { classify, ProviderError } from './provider-error.ts';
import { streamEvents } from './provider-stream.ts';
import { announcementOf } from './rate-headers.ts';

interface ProviderRequest extends Pick<GenerationOptions, 'width' | 'height' | 'background' | 'seed'> {
  prompt: string;
  /**
   * The image to change, if there is one, and the photos in the seller's order, each with its media type: PNG or JPEG. All
   * are sent.
   */
  photos: Blob[];
  /** PNG of the size of the first file: where it is transparent, that may change. Null for everywhere. */
  mask: Buffer | null;
  quality: ImageQuality;
  signal: AbortSignal;
  /** Called when the provider has the photos and begins its answer, with what it says about further calls. */
  onAccepted: (announcement: Announcement | null) => void;
  /** Called with each preview (PNG); `index` counts from 0. */
  onPreview: (png: Buffer, index: number) => void;
}

export interface ProviderResult {
  image: Buffer;
  requestId: string | null;
  /** From sending the request to the end of the answer. */
  milliseconds: number;
  usage: unknown;
}

export interface Provider {
  /** Requests one image. @throws ProviderError */
  edit(request: ProviderRequest): Promise<ProviderResult>;
}

/** Calls OpenAI's image edits, with streaming (docs/provider.md). */
export function createProvider(config: Config['image']): Provider {
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl,
    // The queue retries. The SDK would repeat a call without telling us, and both would be billed.
    maxRetries: 0,
    // The watchdog below normally stops a call first, and records why.
    timeout: config.timeoutMs + 10_000,
    // The SDK would log to the console. We log its errors ourselves.
    logLevel: 'off',
  });
  const takesSeeds = imageCapabilitiesOf(config).seed;
  return {
    async edit({
      prompt,
      photos,
      mask,
      width,
      height,
      background,
      seed,
      quality,
      signal,
      onAccepted,
      onPreview,
    }) {
      const began = performance.now();
      const watch = watchdog(signal, config.timeoutMs, config.stallMs);
      let requestId: string | null = null;
      try {
        const files = photos.map(
          (photo, index) =>
            new File([photo], `photo-${index}.${photo.type.slice('image/'.length)}`, { type: photo.type }),
        );
        const maskFile = mask && (await toFile(mask, 'mask.png', { type: 'image/png' }));
        const response = await client.images
          .edit(
            {
              model: config.model,
              prompt,
              image: files,
              ...(maskFile && { mask: maskFile }),
              n: 1,
              size: `${width}x${height}`,
              background,
              // Not a parameter of OpenAI's: only the local renderer takes it.
              ...(takesSeeds && seed !== null && { seed }),
              quality,
              output_format: 'png',
              stream: true,
              partial_images: config.previews,
            },
            { signal: watch.signal },
          )
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
    },
  };
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
