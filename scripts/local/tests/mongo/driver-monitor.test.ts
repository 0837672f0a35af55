import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type CommandStartedEvent, MongoClient, type ServerHeartbeatStartedEvent } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithTarget } from './target.ts';

/** Forwards connections to the server, and can cut all of them. */
class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(targetUrl: string) {
    const { hostname, port } = new URL(targetUrl);
    this.#server = createServer((incoming) => {
      const outgoing = connect(Number(port || 27017), hostname);
      for (const socket of [incoming, outgoing]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#sockets.delete(socket);
          incoming.destroy();
          outgoing.destroy();
        });
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
  }

  /** Listens on a free port. @returns its `mongodb://` URL */
  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}

const it = testWithTarget
  .extend('relay', ({ target }, { onCleanup }) => {
    const relay = new Relay(target.url);
    onCleanup(() => relay.close());
    return relay;
  })
  .extend('client', async ({ relay }, { onCleanup }) => {
    const client = new MongoClient(await relay.open(), { monitorCommands: true });
    onCleanup(() => client.close());
    return client;
  });

describe('the monitor of the driver', () => {
  it('streams', async ({ client }) => {
    const awaited = new Promise<void>((resolve) => {
      client.on('serverHeartbeatStarted', (event: ServerHeartbeatStartedEvent) => {
        if (event.awaited) resolve();
      });
    });
    await client.connect();
    await awaited;
  });

  it('reconnects whenever all connections are cut during a command', async ({ relay, client }) => {
    await client.connect();
    const admin = client.db('admin');
    const { topologyVersion } = await admin.command({ hello: 1 });
    for (let round = 0; round < 10; round++) {
      const started = once(client, 'commandStarted') as Promise<[CommandStartedEvent]>;
      const interrupted = expect(
        admin.command({ hello: 1, topologyVersion, maxAwaitTimeMS: 600_000 }),
      ).rejects.toThrow();
      await started;
      relay.cut();
      await interrupted;
      expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    }
  });
});
