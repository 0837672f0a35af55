/** An https server of a stranger, at names that only the test's resolver knows. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { makeCertificate } from '#local/mail/certificate.ts';
import { createOutbound, type Outbound, type OutboundRules } from '#shared/outbound/outbound.ts';
import { isPublicAddress } from '#shared/outbound/public-address.ts';
import { limitMs } from './machine.ts';

export interface StrangerServer {
  port: number;
  /** The address of a path of its host. */
  url(path: string): string;
  /** What name servers answer, by host: each answer once, the last one again and again. */
  answers: Map<string, string[][]>;
  /** Hosts that were resolved, in order. */
  resolved: string[];
  /** Requests that arrived, in order. */
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** Bytes of the endless body that were given to the network. */
  sentBytes(): number;
  openConnections(): number;
  /** Lets all replies of `/held` go. */
  release(): void;
  /** Calls addresses with this server's port, names and certificate; of private addresses, 127.0.0.1 counts as public. */
  outbound(rules?: Partial<OutboundRules>): Outbound;
  close(): Promise<void>;
}

/** The name that the certificate is for, and one that it is not for; both are resolved to the server. */
export const strangerHost = 'photos.shop.example';
export const otherHost = 'other.shop.example';

/** 20 kB that become 20 MB. */
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));

/** Starts the server. @param files what is at some paths, with its media type */
export async function startStrangerServer(
  files: Record<string, [mediaType: string, content: Uint8Array]>,
): Promise<StrangerServer> {
  const certificate = await makeCertificate(strangerHost);
  const connections = new Set<Socket>();
  const held = new Set<() => void>();
  const resolved: string[] = [];
  const requests: StrangerServer['requests'] = [];
  let sent = 0;
  const answers = new Map([
    [strangerHost, [['127.0.0.1']]],
    [otherHost, [['127.0.0.1']]],
  ]);

  function* endlessPieces() {
    for (const piece = Buffer.alloc(64 * 1024, 'a'); ; sent += piece.length) yield piece;
  }
  function drip(reply: ServerResponse) {
    const drops = setInterval(() => reply.write('a'), 5);
    reply.once('close', () => clearInterval(drops));
  }
  /** Sends pieces until the other side has left. */
  const send = (pieces: Iterable<Buffer>, reply: ServerResponse) =>
    pipeline(Readable.from(pieces), reply).catch(() => {});
  const ways: Record<string, (reply: ServerResponse, query: URLSearchParams) => unknown> = {
    '/redirect': (reply, query) =>
      reply
        .writeHead(Number(query.get('status') ?? 302), { location: query.get('to') ?? '/photo.png' })
        .end(),
    '/no-place': (reply) => reply.writeHead(302).end(),
    '/status': (reply, query) => reply.writeHead(Number(query.get('status')), { 'x-a': 'b' }).end('no'),
    '/bomb': (reply) =>
      reply.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(bomb),
    '/large': (reply) => reply.writeHead(200, { 'content-length': 10 * 1024 ** 3 }).write('a'),
    '/endless': (reply) => send(endlessPieces(), reply),
    '/drip': drip,
    '/silent': (reply) => reply.writeHead(200, { 'content-type': 'image/png' }).flushHeaders(),
    '/no-reply': () => {},
    '/broken': (reply) => {
      reply.writeHead(200, { 'content-length': 100 });
      reply.write('a', () => reply.destroy());
    },
    '/long-header': (reply) => reply.writeHead(200, { 'x-long': 'a'.repeat(20_000) }).end(),
    '/empty': (reply) => reply.writeHead(200, { 'content-type': 'image/png' }).end(),
    '/held': (reply) =>
      held.add(() => reply.writeHead(200, { 'content-type': 'image/png' }).end(files['/photo.png']![1])),
  };
  const server = createServer(certificate, (request, reply) => {
    const { url = '', headers } = request;
    // Otherwise a connection with a body is not seen to end.
    request.resume();
    const { pathname, searchParams } = new URL(url, 'https://a');
    requests.push({ path: url, headers });
    reply.on('error', () => {});
    const file = files[pathname];
    if (file) reply.writeHead(200, { 'content-type': file[0] }).end(file[1]);
    else if (ways[pathname]) void ways[pathname](reply, searchParams);
    else reply.writeHead(404).end('nothing');
  });
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => connections.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path) => `https://${strangerHost}:${port}${path}`,
    answers,
    resolved,
    requests,
    sentBytes: () => sent,
    openConnections: () => connections.size,
    release() {
      for (const each of held) each();
      held.clear();
    },
    outbound: (rules = {}) =>
      createOutbound({
        proxy: undefined,
        userAgent: 'Packshot/test',
        ports: [port, 443],
        isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
        async resolve(host) {
          resolved.push(host);
          const given = answers.get(host) ?? [[]];
          return given.length > 1 ? given.shift()! : given[0]!;
        },
        authority: certificate.cert,
        seconds: limitMs(8_000) / 1_000,
        silentSeconds: limitMs(4_000) / 1_000,
        ...rules,
      }),
    async close() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
