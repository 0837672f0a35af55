/** The limits of the provider's replies: bytes, and what Node's client would end by itself. */
import { Agent } from 'undici';
import type { CallInput } from '../provider.ts';
import { readShort, shortBytesMost } from './short-body.ts';

/** What a reply may have besides its images, in bytes: names, tokens, comments. */
const bytesBesides = 2 ** 20;

/**
 * Most bytes of a reply: its previews and its image as base64, each as large as a picture of four channels that is not
 * compressed. A usual image has a third of that or less.
 */
export function replyBytesMost(
  { width, height }: Pick<CallInput, 'width' | 'height'>,
  previews: number,
): number {
  return (previews + 1) * Math.ceil((width * height * 4 * 4) / 3) + bytesBesides;
}

/**
 * Without limits in time: those of Node's fetch, five minutes for the headers and between two parts of a body, are shorter
 * than the longest call. The watchdog of a call ends it.
 */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** `fetch` for calls to the provider: it waits as long as it is let, and of an error it reads only so much. */
export async function fetchReply(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  // The package's types of a dispatcher and those of Node's fetch differ in what neither uses.
  const response = await fetch(url, { ...init, dispatcher: dispatcher as never });
  return response.ok ? response : withShortBody(response);
}

/** An error reply with its whole body, or with one that says that it was too long. */
async function withShortBody(response: Response): Promise<Response> {
  const { status, statusText } = response;
  const message = `the reply is longer than ${shortBytesMost} bytes`;
  const text = (await readShort(response)) ?? JSON.stringify({ error: { message } });
  const headers = new Headers(response.headers);
  // Those of the body as it was sent.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return new Response(text === '' ? null : text, { status, statusText, headers });
}
