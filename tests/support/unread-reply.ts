/** A reply of which nothing is read, as with a reader that hangs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { eventually } from './harness.ts';
import type { TestStack } from './stack.ts';

/**
 * Sends a request and reads nothing of its reply, until no more of it fits into the buffers of the network.
 * @param onEnd called with what ends the connection
 * @returns the connection as the server has it
 */
export async function untilUnread(
  stack: TestStack,
  path: string,
  headers: Readonly<Record<string, string>>,
  onEnd: (end: () => void) => void,
): Promise<Socket> {
  const accepted: Socket[] = [];
  const accept = (socket: Socket) => accepted.push(socket);
  stack.server.app.server.on('connection', accept);
  const reader = connect(Number(new URL(stack.url).port), '127.0.0.1');
  onEnd(() => {
    stack.server.app.server.off('connection', accept);
    reader.destroy();
  });
  await once(reader, 'connect');
  reader.pause();
  const lines = Object.entries({ host: 'packshot', ...headers }).map(([name, value]) => `${name}: ${value}`);
  reader.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => accepted[0]?.writableLength ?? 0, eventually).toBeGreaterThan(0);
  let sent = -1;
  await expect
    .poll(() => {
      const [{ bytesWritten }] = accepted as [Socket];
      const isStill = bytesWritten === sent;
      sent = bytesWritten;
      return isStill;
    }, eventually)
    .toBe(true);
  return accepted[0]!;
}
