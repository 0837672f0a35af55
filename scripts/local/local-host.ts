import { isIP } from 'node:net';

/**
 * Whether a `Host` header names this machine or a container: an IP address, `localhost`, or a name without a dot.
 * Rejecting all other names protects against DNS rebinding, where a web site points its own domain at this machine and
 * its pages could then read mails and payments as if they were of the same origin.
 * @param host the header, with or without a port
 * @param publicUrl the URL at which browsers reach the pages, if that is a different one; its host is accepted as well
 */
export function isLocalHost(host: string | undefined, publicUrl?: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return false;
  const { hostname, host: withPort } = new URL(`http://${host}`);
  if (publicUrl !== undefined && withPort === new URL(publicUrl).host) return true;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
  return hostname.endsWith('.localhost') || !hostname.includes('.');
}
