/** Server-sent events in OpenAI's format: `event:`, `data:`, an empty line; no `[DONE]`. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

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
  signal.throwIfAborted();
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const frame = `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
  if (!response.write(frame)) await once(response, 'drain', { signal });
}
