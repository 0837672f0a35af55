import type { FastifyRequest } from 'fastify';
import type { Outbound } from '#shared/outbound/outbound.ts';
import type { AppError } from '#shared/platform/errors.ts';
import { type FetchedPhoto, fetchPhoto } from './fetch-photo.ts';

/**
 * Fetches a photo for the seller of a request, and logs the host alone: path and query may be secrets of the seller.
 * @param signal aborted when the seller does not wait any more
 * @throws as `fetchPhoto`
 */
export async function fetchForSeller(
  outbound: Outbound,
  { caller, log }: Pick<FastifyRequest, 'caller' | 'log'>,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPhoto> {
  const place = { sellerId: caller.sellerId, host: URL.canParse(url) ? new URL(url).host : null };
  try {
    const photo = await fetchPhoto(outbound, url, signal);
    log.info({ ...place, bytes: photo.bytes }, 'a photo was fetched');
    return photo;
  } catch (error) {
    const { code, cause } = error as AppError;
    log.info({ ...place, code, reason: reasonOf(cause) }, 'a photo was not fetched');
    throw error;
  }
}

/** Why nothing was fetched, for the log: the failure, and what Node says of it. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
