import type { Socket } from 'socket.io';
import { limits } from '#contract';

const windowMs = 10_000;

/**
 * Disconnects a client that sends more than `limits.socketMessages` packets in ten seconds, signed in or not. A browser
 * sends only its handshake and answers to pings.
 */
export function limitPackets(connection: Socket['conn']): void {
  let packets = 0;
  let windowEnds = 0;
  connection.on('packet', () => {
    const now = Date.now();
    if (now > windowEnds) {
      packets = 0;
      windowEnds = now + windowMs;
    }
    packets += 1;
    // `true` discards what is still in the buffer.
    if (packets > limits.socketMessages) connection.close(true);
  });
}
