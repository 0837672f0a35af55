/** Connections that send byte by byte, or as fast as they can; for the attacks and the tests. */
import { connect } from 'node:net';

/** What a slow connection received and when the server closed it. */
export interface SlowConnection {
  /** Everything that the server sent, as Latin-1. */
  received: string;
  /** ms until the server closed the connection; undefined if it was still open after `timeoutMs`. */
  closedMs: number | undefined;
}

/**
 * Opens a connection, sends `beginning` at once and then single bytes, whatever the server replies.
 * @param options intervalMs: pause between two bytes; timeoutMs: when to disconnect; byte: what is sent
 */
export function sendSlowly(
  url: string,
  beginning: string,
  { intervalMs, timeoutMs, byte = 'x' }: { intervalMs: number; timeoutMs: number; byte?: string },
): Promise<SlowConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const began = performance.now();
  let received = '';
  return new Promise((resolve) => {
    let interval: NodeJS.Timeout | undefined;
    const timeout = setTimeout(() => end(undefined), timeoutMs);
    const end = (closedMs: number | undefined) => {
      clearInterval(interval);
      clearTimeout(timeout);
      socket.destroy();
      resolve({ received, closedMs });
    };
    socket.on('connect', () => {
      socket.write(beginning, 'latin1');
      interval = setInterval(() => socket.writable && socket.write(byte), intervalMs);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    // A reset by the server counts as closed too; 'close' follows.
    socket.on('error', () => {});
    socket.on('close', () => end(performance.now() - began));
  });
}

/** The request line and headers of an HTTP/1.1 request, including the empty line before the body. */
export function requestHead(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: 'packshot.example', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** What a connection that sends as fast as it can has sent and received. */
export interface EndlessConnection {
  /** Everything that the server sent, as Latin-1. */
  received: string;
  /** Bytes sent before the first byte of the reply, including those in kernel buffers; undefined without a reply. */
  sentBeforeReply: number | undefined;
  /** Bytes sent in total. */
  sent: number;
  /** Whether the server closed the connection, rather than a limit of this function. */
  closed: boolean;
}

/**
 * Opens a connection, sends `beginning` and then the same block again and again as HTTP chunks, as fast as it can.
 * @param options block: content of each chunk; maxBytes, timeoutMs: when to disconnect
 */
export function sendEndlessly(
  url: string,
  beginning: string,
  { block, maxBytes, timeoutMs }: { block: Buffer; maxBytes: number; timeoutMs: number },
): Promise<EndlessConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  let [received, sent] = ['', 0];
  let sentBeforeReply: number | undefined;
  return new Promise((resolve) => {
    const end = (closed: boolean) => {
      clearTimeout(timeout);
      socket.destroy();
      resolve({ received, sentBeforeReply, sent, closed });
    };
    const timeout = setTimeout(() => end(false), timeoutMs);
    const sendMore = () => {
      while (socket.writable) {
        if (sent >= maxBytes) return end(false);
        sent += chunk.length;
        if (!socket.write(chunk)) return socket.once('drain', sendMore);
      }
    };
    socket.on('connect', () => {
      socket.write(beginning, 'latin1');
      sendMore();
    });
    socket.on('data', (data) => {
      received += data.toString('latin1');
      sentBeforeReply ??= sent - socket.writableLength;
    });
    socket.on('error', () => {});
    socket.on('close', () => end(true));
  });
}
