import { isIP } from 'node:net';

/**
 * Whether a `Host` header names a local service the way its people and programs do: by an address, as localhost, or by a name
 * without a dot, as containers have. A web site that lets its own domain lead to this machine (DNS rebinding) is thereby
 * told from them: a browser would hand it mails and payments as if they were its own.
 * @param host the header, with or without a port
 * @param publicUrl where browsers reach the pages, if that is somewhere else
 */
export function isLocalHost(host: string | undefined, publicUrl?: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return false;
  const { hostname, host: withPort } = new URL(`http://${host}`);
  if (publicUrl !== undefined && withPort === new URL(publicUrl).host) return true;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
  return hostname.endsWith('.localhost') || !hostname.includes('.');
}
