import { createParser } from 'eventsource-parser';
import type { ImageEditStreamEvent } from 'openai/resources/images';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { ProviderError } from '../provider.ts';
import { kindOf } from './classify.ts';
import { createImageExtractor } from './image-extractor.ts';

/** An event of a streamed answer with its image, which is empty if the provider sent none. */
export type ProviderEvent = ImageEditStreamEvent & { image: Buffer<ArrayBuffer> };

/**
 * Reads the events of a streamed answer.
 * @throws ProviderError for an error event, SyntaxError for one that is not JSON, and what reading the body throws
 */
export async function* streamEvents(
  response: Response,
  requestId: string | null,
): AsyncGenerator<ProviderEvent> {
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  const extractor = createImageExtractor();
  // The types of the browser's streams, which the SDK uses, do not say that they can be iterated.
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    parser.feed(extractor.text(chunk));
    releaseMemory(chunk);
    for (const data of arrived.splice(0)) {
      if (data === '[DONE]') return;
      const event = JSON.parse(data) as ImageEditStreamEvent | ErrorEvent;
      if ('error' in event) throw errorOf(event.error, requestId);
      if (event.type === 'error') throw errorOf(event, requestId);
      const image = typeof event.b64_json === 'string' ? extractor.takeImage() : undefined;
      yield { ...event, image: image ?? Buffer.alloc(0) };
    }
  }
}

interface StreamError {
  code?: string | null;
  type?: string | null;
  message?: string | null;
}

/** OpenAI does not document its error events: the error may be the event, or a part of it. */
type ErrorEvent = { error: StreamError } | ({ type: 'error' } & StreamError);

function errorOf({ code, type, message }: StreamError, requestId: string | null): ProviderError {
  const kind = kindOf({ status: undefined, code, type: type ?? undefined });
  return new ProviderError(kind, message ?? 'an error in mid-stream', { code, requestId });
}
