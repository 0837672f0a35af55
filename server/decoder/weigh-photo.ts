import { serverLimits } from '#contract/server-limits.ts';
import { limits } from '#shared/contract/limits.ts';
import { photoSizeFault } from '#shared/contract/photo-check.ts';
import type { Failure, PhotoWeight } from './jobs.ts';
import { type ReadHeader, readHeader, readStart } from './photo-header.ts';
import { beginsAsRaw, rawMessage } from './raw-photo.ts';
import { refusalOf } from './refusal.ts';
import { bytesToDecode, type PhotoHeader } from './weight.ts';

const rangeMessage =
  "One of the photos is a TIFF with 32 bits or floating-point numbers, which can't be opened here. Please export it with 16 bits, or as JPEG.";

/**
 * Checks the type and the size of a photo, which must be known before it is decoded.
 * @returns the memory that decoding it takes, with its header, or why it is refused
 */
export async function weighPhoto(
  path: string,
): Promise<{ result: PhotoWeight; header: ReadHeader } | Failure> {
  try {
    const start = readStart(path);
    const { head, type, tiff } = start;
    if (beginsAsRaw(head) || tiff?.isRaw) {
      return { refused: 'TYPE_UNSUPPORTED', message: rawMessage };
    }
    if (tiff?.isWithoutRange) return { refused: 'TYPE_UNSUPPORTED', message: rangeMessage };
    if (type === null) return { refused: 'TYPE_UNSUPPORTED' };
    const header = await readHeader(path, start);
    return refuseSize(header) ?? { result: { weight: bytesToDecode(header) }, header };
  } catch (error) {
    return refusalOf(error, path);
  }
}

/** @returns why a photo is refused, with a message about the limit of its format; undefined if it is not */
function refuseSize(header: PhotoHeader): Failure | undefined {
  const { format, width, height, channelBytes: bytes, isProgressive } = header;
  const fault = photoSizeFault(width, height);
  if (fault) {
    const { code: refused, message } = fault;
    return message === undefined ? { refused } : { refused, message };
  }
  const pixels = width * height;
  if (isProgressive && pixels * bytes > limits.photoPixelsWhole) {
    const message =
      format === 'jpeg'
        ? 'One of the photos is a progressive JPEG with more than 50 megapixels. Please export it as a baseline JPEG.'
        : 'One of the photos is an interlaced PNG with too many megapixels to open. Please export it without interlacing.';
    return { refused: 'TOO_MANY_PIXELS', message };
  }
  // Only these need that much memory per pixel.
  if (bytesToDecode(header) > serverLimits.decodeBytes) {
    const kind = format === 'heic' ? 'a HEIC' : 'an AVIF';
    const message = `One of the photos is ${kind} with too many megapixels to open. Please export it as JPEG.`;
    return { refused: 'TOO_MANY_PIXELS', message };
  }
  return undefined;
}
