/** A receiver of webhooks on this machine, whose paths answer as a test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import {
  type ApiKeyMode,
  type CreateWebhook,
  type WebhookDelivery,
  type WebhookDeliveryList,
  type WebhookWithSecret,
  webhookEventNames,
  webhookPaths,
} from '#contract';
import { call } from './account.ts';
import type { Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** How a path answers: with a status, or in a way that no receiver should. */
type Way =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'drip-head'
  | 'drip-body'
  | 'endless'
  | 'reset';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface WebhookReceiver {
  port: number;
  url(path: string): string;
  /** What arrived, in order. */
  received: Received[];
  /** What arrived at a path. */
  at(path: string): Received[];
  /** The answers of a path: each once, the last one again and again; 204 unless given. */
  ways: Map<string, Way[]>;
  /** Bytes of endless answers that were given to the network. */
  sentBytes(): number;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const ways = new Map<string, Way[]>();
  const sockets = new Set<Socket>();
  let sent = 0;
  async function answer(way: Way, reply: ServerResponse): Promise<void> {
    if (typeof way === 'object') return void reply.writeHead(way.status, way.headers).end(way.body);
    if (way === 'reset') return void reply.destroy();
    const socket = reply.socket!;
    if (way === 'drip-head') socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    if (way === 'drip-body' || way === 'endless') reply.writeHead(200).flushHeaders();
    if (way === 'hang') return;
    if (way !== 'endless') {
      const drops = setInterval(() => (way === 'drip-head' ? socket.write('a') : reply.write('a')), 50);
      return void socket.once('close', () => clearInterval(drops));
    }
    const closed = once(socket, 'close');
    for (const piece = 'a'.repeat(64 * 1024); !socket.destroyed; sent += piece.length) {
      if (!reply.write(piece)) await Promise.race([once(reply, 'drain'), closed]);
    }
  }
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    reply.on('error', () => {});
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url!;
      received.push({
        path,
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
        at: Date.now(),
      });
      const given = ways.get(path) ?? [{ status: 204 }];
      void answer(given.length > 1 ? given.shift()! : given[0]!, reply).catch(() => {});
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    ways,
    sentBytes: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a receiver with the library of Standard Webhooks makes of a request. @throws when it refuses it */
export const verified = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };

/** Makes a webhook of a seller, with all events unless given. */
export async function makeWebhook(
  seller: Seller,
  url: string,
  events: CreateWebhook['events'] = [...webhookEventNames],
  mode: ApiKeyMode = 'live',
): Promise<{ id: string; secret: string }> {
  const { status, body } = await call<WebhookWithSecret>(seller, 'POST', webhookPaths.webhooks, {
    url,
    events,
    mode,
  });
  expect(status).toBe(201);
  return { id: body.webhook.id, secret: body.secret };
}

/** Has a test event sent. */
export async function sendTest(seller: Seller, id: string): Promise<WebhookDelivery> {
  const { status, body } = await call<WebhookDelivery>(seller, 'POST', webhookPaths.test(id));
  expect(status).toBe(202);
  return body;
}

/** What was sent to a webhook, newest first. */
export const deliveriesTo = async (seller: Seller, id: string) =>
  (await call<WebhookDeliveryList>(seller, 'GET', webhookPaths.deliveries(id))).body.deliveries;

/** Lets what waits for a webhook be late, so that the next round of upkeep has it sent. */
export async function makeLate(stack: TestStack, id: string): Promise<void> {
  await stack.models.webhookEndpoints.updateOne({ _id: id }, { $set: { rest_until: null } });
  const longAgo = new Date(Date.now() - 3_600_000);
  await stack.models.webhookDeliveries.updateMany(
    { endpoint: id, state: 'waiting' },
    { $set: { due_at: longAgo } },
  );
}
