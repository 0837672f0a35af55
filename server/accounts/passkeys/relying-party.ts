import type { FastifyRequest } from 'fastify';
import type { Config } from '#shared/platform/config.ts';

/** The site as passkeys know it. */
export interface RelyingParty {
  /** The host name to which they belong. */
  id: string;
  /** The origin of the pages that may use them. */
  origin: string;
}

/** @returns the site at PUBLIC_URL, or without one at the host of the request */
export function relyingPartyOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): RelyingParty {
  const { hostname, origin } = new URL(publicUrl ?? `${request.protocol}://${request.host}`);
  return { id: hostname, origin };
}
