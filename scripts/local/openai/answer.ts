/** The replies for a finished edit: JSON body, server-sent events in OpenAI's format (no `[DONE]`), the usage in both. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { EditRequest } from './edits.ts';
import { usageOf } from './usage.ts';

function description(request: EditRequest) {
  return {
    size: `${request.width}x${request.height}`,
    quality: request.quality === 'auto' ? 'medium' : request.quality,
    background: request.background,
    output_format: request.outputFormat,
  };
}

/** The body of a JSON reply, with every image as base64. */
export function jsonAnswer(request: EditRequest, images: Buffer[]) {
  return {
    created: Math.floor(Date.now() / 1000),
    ...description(request),
    data: images.map((image) => ({ b64_json: image.toString('base64') })),
    usage: usageOf(request, 0),
  };
}

/** The data of an `image_edit.partial_image` event; `index` counts from 0. */
export function partialEvent(request: EditRequest, image: Buffer, index: number) {
  return {
    type: 'image_edit.partial_image',
    partial_image_index: index,
    b64_json: image.toString('base64'),
    created_at: Math.floor(Date.now() / 1000),
    ...description(request),
  };
}

/**
 * The data of an `image_edit.completed` event.
 * @param usage undefined for the usual one; null for none at all
 */
export function completedEvent(
  request: EditRequest,
  image: Buffer,
  partialsSent: number,
  usage: unknown = usageOf(request, partialsSent),
) {
  return {
    type: 'image_edit.completed',
    b64_json: image.toString('base64'),
    created_at: Math.floor(Date.now() / 1000),
    ...description(request),
    ...(usage !== null && { usage }),
  };
}

/** Sends the headers of an event stream immediately. */
export function openEventStream(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
}

/**
 * Writes one event and waits until the socket has accepted it.
 * @param data an object is sent as JSON, a string as it is
 * @throws when the client has disconnected
 */
export async function writeEvent(
  response: ServerResponse,
  name: string | undefined,
  data: object | string,
  signal: AbortSignal,
): Promise<void> {
  await writePart(response, eventFrame(name, data), signal);
}

/** The text of an event, without its last line's end and the blank line. */
export function eventText(name: string | undefined, data: object | string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}`;
}

const eventFrame = (...event: Parameters<typeof eventText>) => `${eventText(...event)}\n\n`;

/**
 * Writes a part of a body and waits until the socket has accepted it.
 * @throws when the client has disconnected
 */
export async function writePart(
  response: ServerResponse,
  part: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (!response.write(part)) await once(response, 'drain', { signal });
}
