import { createParser } from 'eventsource-parser';
import type { ImageEditStreamEvent } from 'openai/resources/images';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { ProviderError } from '../provider.ts';
import { replyError } from './classify.ts';
import { createImageExtractor } from './image-extractor.ts';

/** An event of a streamed answer with its image, which is empty if the provider sent none. */
export type ProviderEvent = ImageEditStreamEvent & { image: Buffer<ArrayBuffer> };

interface Reading {
  requestId: string | null;
  /** A longer answer is an error. */
  bytesMost: number;
  /** Called with each part that arrives, whatever it is. */
  onBytes(): void;
}

/** What may be an event: its text, and whether it must be JSON. */
interface Arrived {
  text: string;
  isEvent: boolean;
}

/**
 * Reads the events of a streamed answer. The last one may lack the blank line after it.
 * @throws ProviderError for an error of the provider and for an answer that is too long, SyntaxError for an event that is not
 * JSON, and what reading the body throws
 */
export async function* streamEvents(
  response: Response,
  { requestId, bytesMost, onBytes }: Reading,
): AsyncGenerator<ProviderEvent> {
  const arrived: Arrived[] = [];
  const parser = createParser({
    onEvent: ({ data }) => arrived.push({ text: data, isEvent: true }),
    // A gateway may write an error as a line of JSON that is no event.
    onError: ({ line }) => void (line?.startsWith('{') && arrived.push({ text: line, isEvent: false })),
  });
  const extractor = createImageExtractor();
  // An answer may be one JSON document in spite of `stream`.
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  let json = '';
  const take = (text: string) => {
    if (isJson) json += text;
    else parser.feed(text);
  };
  let bytes = 0;
  // The types of the browser's streams, which the SDK uses, do not say that they can be iterated.
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    onBytes();
    bytes += chunk.byteLength;
    if (bytes > bytesMost) throw tooLong(bytesMost, requestId);
    take(extractor.text(chunk));
    releaseMemory(chunk);
    for (const { text, isEvent } of arrived.splice(0)) {
      if (text === '[DONE]') return;
      const event = isEvent ? (JSON.parse(text) as unknown) : parsed(text);
      yield* providerEvents(event, requestId, extractor.takeImage);
    }
  }
  take(extractor.end());
  if (isJson) arrived.push({ text: json, isEvent: false });
  // Ends the last event. One that was cut is none.
  else parser.feed('\n\n');
  for (const { text } of arrived) yield* providerEvents(parsed(text), requestId, extractor.takeImage);
}

/** The error for an answer with more than this number of bytes. */
function tooLong(bytesMost: number, requestId: string | null): ProviderError {
  return new ProviderError('invalid_response', `the reply is longer than ${bytesMost} bytes`, { requestId });
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** OpenAI does not document its error events: the error may be the event, or a part of it. */
type ErrorEvent = { error?: unknown; type?: string; message?: unknown };

/** @returns the event, if the value is one @throws ProviderError if it is an error */
function providerEvents(
  value: unknown,
  requestId: string | null,
  takeImage: () => Buffer<ArrayBuffer> | undefined,
): ProviderEvent[] {
  if (typeof value !== 'object' || value === null) return [];
  const { error, type } = value as ErrorEvent;
  if (error) throw streamError(error, requestId);
  if (type === 'error') {
    // Of the event, not of the error.
    const { type: _event, ...sent } = value as ErrorEvent;
    throw streamError(sent, requestId);
  }
  const event = value as ImageEditStreamEvent;
  const image = typeof event.b64_json === 'string' ? takeImage() : undefined;
  return [{ ...event, image: image ?? Buffer.alloc(0) }];
}

function streamError(sent: unknown, requestId: string | null): ProviderError {
  const { message } = Object(sent) as { message?: unknown };
  const said = typeof sent === 'string' ? sent : message;
  return replyError(sent, typeof said === 'string' ? said : 'an error in mid-stream', { requestId });
}
