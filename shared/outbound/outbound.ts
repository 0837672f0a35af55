import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, isIPv6, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, type PublicUrl, readPublicUrl } from './public-address.ts';
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
}

export interface OutboundOptions {
  /** The header `Accept`. */
  accept: string;
  /** Bytes of a body. They are counted while they arrive. */
  mostBytes: number;
  /** Ends the call when nobody waits for it any more. */
  signal?: AbortSignal;
}

/** How addresses are called. Only tests give more than the first two. */
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
}

export function createOutbound(rules: OutboundRules): Outbound {
  const { ports = [443], isPublic = isPublicAddress, resolve = resolveHost, authority, userAgent } = rules;
  const { seconds = outboundLimits.seconds, silentSeconds = outboundLimits.silentSeconds } = rules;
  const proxy = rules.proxy === undefined ? undefined : new URL(rules.proxy);
  const silentMs = silentSeconds * 1_000;

  /** The addresses that a host has now, each of them checked. @throws OutboundError when one is not public */
  async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
    if (addresses.length === 0 || !addresses.every(isPublic)) throw new OutboundError('not-public');
    return addresses;
  }

  /** Sends the request, to the addresses that were checked and to no other. */
  async function ask({ url, host, port }: PublicUrl, accept: string, ended: AbortController) {
    const { signal } = ended;
    const isAddress = isIP(host) !== 0;
    // A proxy resolves names itself.
    const addresses = isAddress || !proxy ? await addressesOf(host, signal) : [];
    const tunnel = proxy && (await connectThrough(proxy, { host, port }, { silentMs, signal }));
    const connection: ConnectionOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
      host,
      port,
      lookup: lookupIn(addresses),
      autoSelectFamilyAttemptTimeout: attemptMs,
      servername: isAddress ? '' : host,
      ALPNProtocols: ['http/1.1'],
      // Whatever the environment says of certificates.
      rejectUnauthorized: true,
      ...(authority !== undefined && { ca: authority }),
      ...(tunnel && { socket: tunnel }),
    };
    return new Promise<IncomingMessage>((settle, reject) => {
      const asking = request({
        host,
        port,
        path: url.pathname + url.search,
        headers: { accept, 'accept-encoding': 'identity', 'user-agent': userAgent },
        timeout: silentMs,
        signal,
        // Here, because a connection through a tunnel takes no option for it.
        createConnection: () => connect(connection).setTimeout(silentMs),
      });
      asking.once('timeout', () => ended.abort(new OutboundError('timeout')));
      asking.on('error', (error) => {
        tunnel?.destroy();
        reject(error);
      });
      asking.once('response', settle);
      asking.end();
    });
  }

  return {
    async get(address, { accept, mostBytes, signal }, receive) {
      signal?.throwIfAborted();
      const ended = new AbortController();
      const stop = () => ended.abort(signal?.reason);
      const timer = setTimeout(() => ended.abort(new OutboundError('timeout')), seconds * 1_000);
      signal?.addEventListener('abort', stop);
      const explained = (error: unknown) => (ended.signal.aborted ? ended.signal.reason : explain(error));
      try {
        let place = readPublicUrl(address, ports);
        for (let redirects = 0; ; redirects += 1) {
          const reply = await ask(place, accept, ended).catch((error) => {
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
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
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
