import { limits } from '#contract';
import { headBytes, photoFormatOf } from '#contract/photo-format.ts';
import { aboutPhoto } from '#server/uploads/about-photo.ts';
import type { Outbound } from '#shared/outbound/outbound.ts';
import { OutboundError } from '#shared/outbound/outbound-error.ts';
import { AppError } from '#shared/platform/errors.ts';
import { addressError } from './address-error.ts';
import { fileNameOf } from './file-name.ts';

/** A photo that was fetched, in the pieces in which it arrived. */
export interface FetchedPhoto {
  pieces: Uint8Array[];
  bytes: number;
  /** By its content. */
  mediaType: string;
  fileName: string;
}

const webPageMessage = 'This address is a web page, not a photo. Please use the address of the photo itself.';

/**
 * Fetches the photo at a seller's address. Its first bytes decide whether it is one, before the rest is read.
 * @param signal aborted when the seller does not wait any more
 * @throws AppError ADDRESS_REFUSED, ADDRESS_NOT_FETCHED; FILE_TOO_LARGE, FILE_EMPTY or TYPE_UNSUPPORTED, as for uploads;
 *   the reason of `signal`
 */
export async function fetchPhoto(
  outbound: Outbound,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPhoto> {
  const about = (error: AppError) => aboutPhoto(error, fileNameOf(url, 'image/jpeg'));
  const options = { accept: 'image/jpeg, image/*;q=0.9, */*;q=0.1', mostBytes: limits.photoBytes, signal };
  try {
    return await outbound.get(url, options, async (body, declaredType) => {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      let mediaType: string | undefined;
      const readType = () => {
        const format = photoFormatOf(Buffer.concat(pieces));
        if (format !== null) return `image/${format}`;
        if (declaredType === 'text/html') {
          throw new AppError('TYPE_UNSUPPORTED', { message: webPageMessage, field: 'url' });
        }
        throw about(new AppError('TYPE_UNSUPPORTED', { field: 'url' }));
      };
      for await (const piece of body) {
        pieces.push(piece);
        bytes += piece.byteLength;
        if (bytes >= headBytes) mediaType ??= readType();
      }
      if (bytes === 0) throw about(new AppError('FILE_EMPTY', { field: 'url' }));
      mediaType ??= readType();
      return { pieces, bytes, mediaType, fileName: fileNameOf(url, mediaType) };
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw error.failure === 'too-large' ? about(addressError(error)) : addressError(error);
  }
}
