import type { ChangeRequest } from '#contract';
import type { Client, Decoder } from '#server/decoder/decoder.ts';
import { AppError } from '#shared/platform/errors.ts';
import { plainPngOf } from './plain-png.ts';

interface Size {
  width: number;
  height: number;
}

/** The field of a request that says where the image may change; null without one. */
export function areaFieldOf({ marks, mask }: ChangeRequest): 'marks' | 'mask' | null {
  if (marks !== undefined) return 'marks';
  return mask === undefined ? null : 'mask';
}

/**
 * Makes the mask of a change, in a decoder process: this process parses no picture of others.
 * @param image the image that is to be changed
 * @param change with marks or a mask
 * @returns PNG
 * @throws AppError VALIDATION if it is no mask of the image, or lets nothing change; UNAVAILABLE when too many wait
 */
export async function makeMask(
  decoder: Decoder,
  client: Client,
  { marks, mask = '' }: ChangeRequest,
  { width, height }: Size,
): Promise<Uint8Array> {
  if (marks !== undefined) {
    const drawn = await decoder.drawMask(client, marks, { width, height });
    if (!drawn) throw refused('marks', 'The marks cover no pixel of the image, so nothing could change.');
    return drawn;
  }
  const png = plainPngOf(Buffer.from(mask, 'base64'));
  if (!png) throw refused('mask', 'The mask cannot be read as a PNG.');
  if (!png.hasAlpha) throw refused('mask', 'The mask must be a PNG with an alpha channel.');
  if (png.width !== width || png.height !== height) {
    throw refused('mask', `The mask must be as large as the image: ${width} × ${height} pixels.`);
  }
  const read = await decoder.readMask(client, png.bytes, { width, height }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'IMAGE_CORRUPT') throw error;
    throw refused('mask', 'The mask cannot be read as a PNG.');
  });
  if (!read) throw refused('mask', 'The mask is transparent nowhere, so nothing could change.');
  return read;
}

const refused = (field: 'marks' | 'mask', message: string) => new AppError('VALIDATION', { message, field });
