import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

/** What IPv6 has on the public internet; `ipaddr.js` knows the parts of it that are none. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Translates to IPv4 in networks without it (RFC 6052): the last 32 bits are where it leads. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Of the public range, but answered by Azure's host on each virtual machine: its metadata and configuration. */
const ofClouds: readonly string[] = ['168.63.129.16'];

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared (CGNAT), multicast,
 * reserved or a cloud's metadata, and no IPv6 address that leads to one of these.
 * @param address as Node writes it
 */
export function isPublicAddress(address: string): boolean {
  // A zone is of a link.
  if (isIP(address) === 0 || address.includes('%')) return false;
  // IPv4 in IPv6 (::ffff:…) is IPv4.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIPv4(parsed);
  if (parsed.match(nat64)) return isPublicIPv4(new ipaddr.IPv4(parsed.toByteArray().slice(-4)));
  return parsed.match(globalUnicast) && parsed.range() === 'unicast';
}

const isPublicIPv4 = (address: ipaddr.IPv4) =>
  address.range() === 'unicast' && !ofClouds.includes(address.toString());

/** Names that are never of the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), for a proxy that would resolve them. */
const ownNames = /^[^.]*$|\.(?:localhost|localdomain|local|internal|home\.arpa)$/;

/** An https address that may be called, as far as its text says. */
export interface PublicUrl {
  url: URL;
  /** Its host, without the brackets of IPv6 and without a dot at its end. */
  host: string;
  port: number;
  /** Whether it is of this machine, which only `readWebhookUrl` lets through. */
  isOwn?: true;
}

/**
 * Reads an address by the rules for strangers: https, without a user name, on an allowed port, with a host that may be public.
 * Where its name leads to is checked when it is resolved.
 * @param base what a relative address is relative to
 * @throws OutboundError invalid, credentials, port or not-public
 */
export function readPublicUrl(text: string, ports: readonly number[], base?: URL): PublicUrl {
  if (!URL.canParse(text, base?.href)) throw new OutboundError('invalid');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'https:') throw new OutboundError('invalid');
  if (url.username !== '' || url.password !== '') throw new OutboundError('credentials');
  const port = Number(url.port || 443);
  if (!ports.includes(port)) throw new OutboundError('port');
  // `URL` has made one notation of octal, hexadecimal and decimal numbers, and of letters and digits that look alike.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 0 && ownNames.test(host)) throw new OutboundError('not-public');
  return { url, host, port };
}

/** How this machine is named in addresses. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/**
 * Reads the address of a webhook by the rules for strangers.
 * @param toLoopback whether http, and any port, of this machine are allowed as well, for development and tests
 * @param ports for tests; otherwise the one of https
 * @throws OutboundError as `readPublicUrl`
 */
export function readWebhookUrl(
  text: string,
  toLoopback: boolean,
  ports: readonly number[] = [443],
): PublicUrl {
  if (toLoopback && URL.canParse(text)) {
    const url = new URL(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isHttp = url.protocol === 'http:';
    if ((isHttp || url.protocol === 'https:') && ownHosts.includes(host)) {
      return { url, host, port: Number(url.port || (isHttp ? 80 : 443)), isOwn: true };
    }
  }
  return readPublicUrl(text, ports);
}
