import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ServerContext } from '#server/http/context.ts';
import { fetchForSeller } from '#server/photo-addresses/fetch-for-seller.ts';
import { storePhotos, type Upload } from '#server/uploads/read-upload.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { AppError } from '#shared/platform/errors.ts';

interface FetchParts {
  context: Pick<ServerContext, 'outbound' | 'storage'>;
  /** Of the photos that this server fetches. */
  photoSlots: Slots;
  /** Counts a photo of the seller. @throws AppError RATE_LIMITED */
  count(request: FastifyRequest): Promise<void>;
}

/** What stands for a photo in a batch before it is fetched: the SHA-256 of the text of its address. */
export const sha256OfAddress = (url: string) => createHash('sha256').update(url).digest('hex');

/**
 * Fetches photos from their addresses into files, one after the other, so that memory holds one of them.
 * @param disconnected aborted when nobody waits for them
 * @throws AppError as `fetchPhoto`, about the address that failed; RATE_LIMITED, TOO_MANY_UPLOADS. Then no file is left
 */
export function fetchPhotos(
  { context: { outbound, storage }, photoSlots, count }: FetchParts,
  request: FastifyRequest,
  urls: readonly string[],
  disconnected: AbortSignal,
): Promise<Upload> {
  return storePhotos(storage, async (store) => {
    for (const [index, url] of urls.entries()) {
      await count(request);
      const slot = await photoSlots.take(request.caller.sellerId, disconnected);
      try {
        const { pieces, fileName } = await fetchForSeller(outbound, request, url, disconnected);
        await store(Readable.from(pieces, { objectMode: false }), fileName);
      } catch (error) {
        throw error instanceof AppError && error.field === 'url' ? aboutAddress(error, index) : error;
      } finally {
        slot.release();
      }
    }
    return {};
  });
}

/** The same error, about one of several addresses. */
const aboutAddress = ({ code, message, cause }: AppError, index: number) =>
  new AppError(code, { message, cause, field: `photos.${index}.url` });
