import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './seller.ts';

export interface RawRequest {
  method?: string;
  /** Sent as it is, without normalisation. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** The loopback address to send from; to the server `127.0.0.2` is another network than `127.0.0.1`. */
  from?: string;
}

/** Sends a request with a path or headers that `fetch` would normalise or reject. */
export async function sendRaw(
  url: string,
  { method = 'GET', path, headers = {}, body, from }: RawRequest,
): Promise<Answer<unknown>> {
  const source = from === undefined ? {} : { localAddress: from };
  const request = httpRequest(url, { method, path, headers, agent: false, ...source });
  request.end(body);
  const [response] = await once(request, 'response');
  return toAnswer(response.statusCode, new Headers(flat(response.headers)), await text(response));
}

/** Sends any bytes and reads the reply until the server closes the connection. */
export async function sendBytes(url: string, bytes: string): Promise<Answer<unknown>> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
  const [start, ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
  return toAnswer(Number(start!.split(' ')[1]), headers, body);
}

function toAnswer(status: number, headers: Headers, body: string): Answer<unknown> {
  return { status, headers, body: headers.get('content-type')?.includes('json') ? JSON.parse(body) : body };
}

function flat(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
}
