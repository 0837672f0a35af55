/** Requests with a session's token in a header or a cookie, for tests of sessions. */
import { io, type Socket } from 'socket.io-client';
import { paths } from '#contract';
import type { Answer } from './seller.ts';
import type { TestStack } from './stack.ts';

/** Sends a request. @param url the server's, by default that of the stack */
export async function request(
  stack: TestStack,
  path: string,
  init: RequestInit = {},
  url = stack.url,
): Promise<Answer<unknown>> {
  const reply = await fetch(url + path, init);
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === '' ? '' : JSON.parse(text) };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const withCookie = (token: string) => ({ cookie: `packshot=${token}` });

/** Tries to connect a socket and closes it. @returns undefined if it connected, else the client's error */
export async function handshake(stack: TestStack, options: Parameters<typeof io>[1], url = stack.url) {
  const socket: Socket = io(url, {
    path: paths.socket,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  try {
    return await new Promise<(Error & { data?: unknown }) | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('connect_error', resolve);
    });
  } finally {
    socket.disconnect();
  }
}
