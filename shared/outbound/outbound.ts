import type { IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, isIPv6, type LookupFunction, connect as openSocket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, type PublicUrl, readPublicUrl, readWebhookUrl } from './public-address.ts';
import { resolveHost } from './resolve-host.ts';
import { connectThrough } from './tunnel.ts';

/** How long all of it may take, and how long nothing may arrive, in seconds; and how often an address may lead to another. */
export const outboundLimits = { seconds: 10, silentSeconds: 5, redirects: 3 } as const;

/** How long one of several addresses of a host may take to connect before the next is tried, in ms. */
const attemptMs = 2_000;

/** Calls addresses that strangers chose. The rules are in docs/decisions/0114-addresses-of-strangers.md. */
export interface Outbound {
  /**
   * Reads what is at an https address, and follows redirects. Nothing of it is in memory but what `receive` keeps.
   * @param receive reads the body, and may refuse it before its end by throwing
   * @returns what `receive` returns
   * @throws OutboundError, what `receive` throws, and the reason of `signal`
   */
  get<Result>(
    address: string,
    options: OutboundOptions,
    receive: (body: AsyncIterable<Uint8Array>, mediaType: string) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Sends a body to the address of a webhook, and reads the beginning of the reply. No redirect is followed: it is a reply.
   * @throws OutboundError, and the reason of `signal`
   */
  post(address: string, sent: SentBody): Promise<OutboundReply>;
}

interface SentBody {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Bytes of the reply's body that are read; the rest is left. */
  mostBytes: number;
  signal?: AbortSignal;
}

/** What an address answered. */
interface OutboundReply {
  status: number;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
  /** The beginning of the body. */
  body: string;
}

export interface OutboundOptions {
  /** The header `Accept`. */
  accept: string;
  /** Bytes of a body. They are counted while they arrive. */
  mostBytes: number;
  /** Ends the call when nobody waits for it any more. */
  signal?: AbortSignal;
}

/** How addresses are called. Webhooks have times of their own; only tests give the rest. */
export interface OutboundRules {
  /** Proxy through which everything goes; undefined for none. */
  proxy: string | undefined;
  /** The header `User-Agent`. */
  userAgent: string;
  ports?: readonly number[];
  isPublic?: (address: string) => boolean;
  resolve?: (host: string, signal: AbortSignal) => Promise<string[]>;
  /** The authority of servers' certificates, in PEM. */
  authority?: string;
  seconds?: number;
  silentSeconds?: number;
  /** Whether `post` may call this machine, for development and tests. */
  toLoopback?: boolean;
}

/** What is sent to an address. */
interface Sent {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export function createOutbound(rules: OutboundRules): Outbound {
  const { ports = [443], isPublic = isPublicAddress, resolve = resolveHost, authority, userAgent } = rules;
  const { seconds = outboundLimits.seconds, silentSeconds = outboundLimits.silentSeconds } = rules;
  const { toLoopback = false } = rules;
  const proxyUrl = rules.proxy === undefined ? undefined : new URL(rules.proxy);
  const silentMs = silentSeconds * 1_000;

  /** The addresses that a host has now, each of them checked. @throws OutboundError when one is not public */
  async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
    if (addresses.length === 0 || !addresses.every(isPublic)) throw new OutboundError('not-public');
    return addresses;
  }

  /** Sends the request, to the addresses that were checked and to no other. */
  async function ask({ url, host, port, isOwn }: PublicUrl, sent: Sent, ended: AbortController) {
    const { signal } = ended;
    const isAddress = isIP(host) !== 0;
    const proxy = isOwn ? undefined : proxyUrl;
    // A proxy resolves names itself.
    const isChecked = !isOwn && (isAddress || !proxy);
    const addresses = isChecked
      ? await addressesOf(host, signal)
      : isOwn
        ? [isAddress ? host : '127.0.0.1']
        : [];
    const tunnel = proxy && (await connectThrough(proxy, { host, port }, { silentMs, signal }));
    const socket: TcpNetConnectOpts = {
      host,
      port,
      lookup: lookupIn(addresses),
      autoSelectFamilyAttemptTimeout: attemptMs,
    };
    const connection: ConnectionOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
      ...socket,
      servername: isAddress ? '' : host,
      ALPNProtocols: ['http/1.1'],
      // Whatever the environment says of certificates.
      rejectUnauthorized: true,
      ...(authority !== undefined && { ca: authority }),
      ...(tunnel && { socket: tunnel }),
    };
    const isPlain = url.protocol === 'http:';
    const { method, body, headers } = sent;
    return new Promise<IncomingMessage>((settle, reject) => {
      const asking = (isPlain ? http : https).request({
        method,
        host,
        port,
        path: url.pathname + url.search,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          'accept-encoding': 'identity',
          'user-agent': userAgent,
        },
        timeout: silentMs,
        signal,
        // Here, because a connection through a tunnel takes no option for it.
        createConnection: () =>
          isPlain ? openSocket(socket).setTimeout(silentMs) : connect(connection).setTimeout(silentMs),
      });
      asking.once('timeout', () => ended.abort(new OutboundError('timeout')));
      asking.on('error', (error) => {
        tunnel?.destroy();
        reject(error);
      });
      asking.once('response', settle);
      asking.end(body);
    });
  }

  /** Does something within the time that a call may take. @param signal ends it as well */
  async function inTime<Result>(
    signal: AbortSignal | undefined,
    work: (ended: AbortController, explained: (error: unknown) => unknown) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const stop = () => ended.abort(signal?.reason);
    const timer = setTimeout(() => ended.abort(new OutboundError('timeout')), seconds * 1_000);
    signal?.addEventListener('abort', stop);
    try {
      return await work(ended, (error) => (ended.signal.aborted ? ended.signal.reason : explain(error)));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  return {
    get: (address, { accept, mostBytes, signal }, receive) =>
      inTime(signal, async (ended, explained) => {
        let place = readPublicUrl(address, ports);
        for (let redirects = 0; ; redirects += 1) {
          const reply = await ask(place, { method: 'GET', headers: { accept } }, ended).catch((error) => {
            throw explained(error);
          });
          try {
            const location = locationOf(reply);
            if (location === undefined) {
              checkHead(reply, mostBytes);
              return await receive(bodyOf(reply, mostBytes, explained), mediaTypeOf(reply));
            }
            if (redirects === outboundLimits.redirects) throw new OutboundError('redirects');
            place = readRedirect(location, ports, place.url);
          } finally {
            reply.destroy();
          }
        }
      }),
    post: (address, { headers, body, mostBytes, signal }) =>
      inTime(signal, async (ended, explained) => {
        const place = readWebhookUrl(address, toLoopback, ports);
        const reply = await ask(place, { method: 'POST', headers, body }, ended).catch((error) => {
          throw explained(error);
        });
        try {
          return {
            status: reply.statusCode!,
            retryAfter: reply.headers['retry-after'],
            body: await beginningOf(reply, mostBytes).catch((error) => {
              throw explained(error);
            }),
          };
        } finally {
          reply.destroy();
        }
      }),
  };
}

/** The beginning of the body of a reply, as text. */
async function beginningOf(reply: IncomingMessage, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of reply as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostBytes).toString();
}

/** Resolves any name to the given addresses. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
}

/** @throws OutboundError not-public, or redirect for another address that is not allowed */
function readRedirect(location: string, ports: readonly number[], from: URL): PublicUrl {
  try {
    return readPublicUrl(location, ports, from);
  } catch (error) {
    if (error instanceof OutboundError && error.failure === 'not-public') throw error;
    throw new OutboundError('redirect', { cause: error });
  }
}

/** Where a redirect leads. @returns undefined for no redirect @throws OutboundError for one without a place */
function locationOf({ statusCode, headers }: IncomingMessage): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode!)) return undefined;
  if (headers.location === undefined) throw new OutboundError('redirect');
  // Node reads headers as Latin-1, and servers send UTF-8.
  return Buffer.from(headers.location, 'latin1').toString();
}

const mediaTypeOf = ({ headers }: IncomingMessage) =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

/** @throws OutboundError for a reply whose body is not to be read */
function checkHead({ statusCode: status, headers }: IncomingMessage, mostBytes: number): void {
  if (status !== 200) throw new OutboundError('status', { status: status! });
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) throw new OutboundError('encoded');
  // Only a hint, which spares reading what is too large anyway.
  if (Number(headers['content-length']) > mostBytes) throw new OutboundError('too-large');
}

/** The body of a reply, up to a number of bytes. @throws what `explained` makes of an error */
async function* bodyOf(
  reply: IncomingMessage,
  mostBytes: number,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of reply as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw new OutboundError('too-large');
      yield chunk;
    }
  } catch (error) {
    throw explained(error);
  }
}

/** Codes of Node's errors about a certificate. */
const aboutCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

function explain(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return new OutboundError(aboutCertificate.test(code) ? 'certificate' : 'unreachable', { cause: error });
}
