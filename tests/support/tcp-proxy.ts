/** A TCP proxy between a client and a store, which a test can interrupt at an exact packet. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The store's URL with the proxy's host and port. */
  url: string;
  /**
   * Holds the first packet from a client that contains `text`, and everything after it on that connection, until
   * `release`. Resolves when that packet has arrived.
   */
  holdAt(text: string): Promise<void>;
  /** Forwards what is held. */
  release(): void;
  /** Closes every connection, and new ones as soon as they are accepted, until `restore`. */
  cut(): void;
  /** Closes every connection and stops listening, so that new ones are refused, until `restore`. */
  refuse(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. @param storeUrl the store to forward to */
export async function startTcpProxy(storeUrl: string): Promise<TcpProxy> {
  const store = new URL(storeUrl);
  const port = Number(store.port || (store.protocol === 'mongodb:' ? 27_017 : 0));
  const sockets = new Set<Socket>();
  let away = false;
  let watch: { text: string; seen: () => void } | undefined;
  let sendOn: (() => void)[] = [];

  const server = createServer((client) => {
    if (away) return void client.destroy();
    const upstream = connect(port, store.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let held: Buffer[] | undefined;
    client.on('data', (packet) => {
      if (watch && packet.includes(watch.text)) {
        watch.seen();
        watch = undefined;
        held = [];
        sendOn.push(() => {
          for (const each of held ?? []) upstream.write(each);
          held = undefined;
        });
      }
      if (held) held.push(packet);
      else upstream.write(packet);
    });
    upstream.on('data', (packet) => client.write(packet));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(storeUrl);
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
    restore() {
      away = false;
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
