/** A TCP proxy between two processes, which can interrupt them at an exact packet, slow them down, or lose what they say. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface TcpProxy {
  /** The target's URL with the proxy's host and port. */
  url: string;
  /**
   * Holds the first packet from a client that contains `text`, and everything after it on that connection, until
   * `release`. Resolves when that packet has arrived.
   */
  holdAt(text: string): Promise<void>;
  /** Forwards what is held. */
  release(): void;
  /** Resolves after the target has sent a packet that contains `text`; never when the signal is aborted before. */
  answered(text: string, signal: AbortSignal): Promise<void>;
  /** Closes every connection, and new ones as soon as they are accepted, until `restore`. */
  cut(): void;
  /** Closes every connection and stops listening, so that new ones are refused, until `restore`. */
  refuse(): void;
  /** Closes the connections that are open now. New ones work. */
  reset(): void;
  /** Delivers each packet, in both directions, this many ms late, until `restore`. */
  slow(delayMs: number): void;
  /**
   * Accepts connections and keeps them open, but delivers nothing in this direction, until `restore`. What was swallowed
   * is lost: the connections of that time are closed then, as a connection is that gets no acknowledgement.
   */
  blackHole(direction: 'both' | 'to-target' | 'to-client'): void;
  /** Ends `cut`, `refuse`, `slow` and `blackHole`. */
  restore(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy.
 * @param targetUrl what to forward to
 * @param listenPort port of 127.0.0.1; a free one unless given
 */
export async function startTcpProxy(targetUrl: string, listenPort = 0): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const port = Number(target.port || (target.protocol === 'mongodb:' ? 27_017 : 0));
  const sockets = new Set<Socket>();
  /** Connections that have lost something. */
  const damaged = new Set<Socket>();
  let away = false;
  let delayMs = 0;
  let lost: 'both' | 'to-target' | 'to-client' | undefined;
  let watch: { text: string; seen: () => void } | undefined;
  let sendOn: (() => void)[] = [];
  const awaited = new Set<{ text: string; seen: () => void }>();

  /** Forwards packets in their order, those of a slow time late. */
  const forwarder = (from: Socket, to: Socket, direction: 'to-target' | 'to-client') => {
    // The packets that are late, in their order; undefined when there are none.
    let late: Promise<void> | undefined;
    return (packet: Buffer) => {
      if (lost === 'both' || lost === direction) {
        damaged.add(from);
        return;
      }
      if (damaged.has(from)) return;
      if (delayMs === 0 && late === undefined) {
        to.write(packet);
        return;
      }
      const due = wait(delayMs);
      const delivered = (late ?? Promise.resolve()).then(async () => {
        await due;
        to.write(packet);
        if (late === delivered) late = undefined;
      });
      late = delivered;
    };
  };

  const server = createServer((client) => {
    if (away) return void client.destroy();
    const upstream = connect(port, target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        damaged.delete(socket);
        other.destroy();
      });
    }
    const toTarget = forwarder(client, upstream, 'to-target');
    let held: Buffer[] | undefined;
    client.on('data', (packet) => {
      if (watch && packet.includes(watch.text)) {
        watch.seen();
        watch = undefined;
        held = [];
        sendOn.push(() => {
          for (const each of held ?? []) toTarget(each);
          held = undefined;
        });
      }
      if (held) held.push(packet);
      else toTarget(packet);
    });
    const toClient = forwarder(upstream, client, 'to-client');
    upstream.on('data', (packet) => {
      toClient(packet);
      for (const each of awaited) {
        if (!packet.includes(each.text)) continue;
        awaited.delete(each);
        each.seen();
      }
    });
  });
  server.listen(listenPort, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    holdAt: (text) =>
      new Promise((resolve) => {
        watch = { text, seen: resolve };
      }),
    answered: (text, signal) =>
      new Promise((resolve) => {
        const each = { text, seen: resolve };
        awaited.add(each);
        signal.addEventListener('abort', () => awaited.delete(each));
      }),
    release() {
      for (const send of sendOn) send();
      sendOn = [];
    },
    cut() {
      away = true;
      endConnections();
    },
    refuse() {
      server.close();
      endConnections();
    },
    reset: endConnections,
    slow(milliseconds) {
      delayMs = milliseconds;
    },
    blackHole(direction) {
      lost = direction;
    },
    restore() {
      away = false;
      delayMs = 0;
      lost = undefined;
      for (const socket of damaged) socket.destroy();
      if (!server.listening) server.listen(Number(url.port), '127.0.0.1');
    },
    async close() {
      endConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
