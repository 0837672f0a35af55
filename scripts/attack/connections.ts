/** Connections that send byte by byte, or as fast as they can: of the attacks and of the tests. */
import { connect } from 'node:net';

/** What became of a connection. */
export interface Drip {
  /** All that the server said. */
  heard: string;
  /** ms until the server closed it; undefined when it was still open at the end. */
  closedMs: number | undefined;
}

/**
 * Opens a connection, sends a beginning at once and then byte after byte, whatever is answered.
 * @param options everyMs: the pause between two bytes; atMostMs: when to stop watching; byte: what is sent
 */
export function drip(
  url: string,
  beginning: string,
  { everyMs, atMostMs, byte = 'x' }: { everyMs: number; atMostMs: number; byte?: string },
): Promise<Drip> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const began = performance.now();
  let heard = '';
  return new Promise((resolve) => {
    let next: NodeJS.Timeout | undefined;
    const late = setTimeout(() => end(undefined), atMostMs);
    const end = (closedMs: number | undefined) => {
      clearInterval(next);
      clearTimeout(late);
      socket.destroy();
      resolve({ heard, closedMs });
    };
    socket.on('connect', () => {
      socket.write(beginning, 'latin1');
      next = setInterval(() => socket.writable && socket.write(byte), everyMs);
    });
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    // Reset by the server is closed as well.
    socket.on('error', () => {});
    socket.on('close', () => end(performance.now() - began));
  });
}

/** The beginning of a request as it goes over the wire, up to its body. */
export function head(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: 'packshot.example', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** What became of a connection that sent as fast as it could. */
export interface Pour {
  /** All that the server said. */
  heard: string;
  /** Bytes that were sent until the server began to answer, those in the kernels' buffers among them. */
  untilAnswer: number | undefined;
  /** Bytes that were sent until the server closed the connection, or until it was given up. */
  sent: number;
  /** Whether the server closed it. */
  closed: boolean;
}

/**
 * Opens a connection, sends a beginning and then blocks of bytes without an end, in chunks of HTTP.
 * @param options block: what is sent again and again; bytesMost and atMostMs: when to give up
 */
export function pour(
  url: string,
  beginning: string,
  { block, bytesMost, atMostMs }: { block: Buffer; bytesMost: number; atMostMs: number },
): Promise<Pour> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  let [heard, sent] = ['', 0];
  let untilAnswer: number | undefined;
  return new Promise((resolve) => {
    const end = (closed: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve({ heard, untilAnswer, sent, closed });
    };
    const late = setTimeout(() => end(false), atMostMs);
    const more = () => {
      while (socket.writable) {
        if (sent >= bytesMost) return end(false);
        sent += chunk.length;
        if (!socket.write(chunk)) return socket.once('drain', more);
      }
    };
    socket.on('connect', () => {
      socket.write(beginning, 'latin1');
      more();
    });
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      untilAnswer ??= sent - socket.writableLength;
    });
    socket.on('error', () => {});
    socket.on('close', () => end(true));
  });
}
