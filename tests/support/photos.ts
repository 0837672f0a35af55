import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

let sample: Promise<Buffer> | undefined;

/** A small PNG photo, the same one for every call. */
export function samplePhoto(): Promise<Buffer> {
  sample ??= colouredPhoto('#b5482a');
  return sample;
}

/** A small photo of one colour, so that tests can tell photos apart. */
export function colouredPhoto(colour: string, width = 96, height = 64): Promise<Buffer> {
  return flatImage(width, height, colour).png().toBuffer();
}

/**
 * An image of one colour, for the caller to encode.
 * @param colour as `#rrggbb`
 */
export function flatImage(width = 96, height = 64, colour = '#b5482a'): Sharp {
  // Ready pixels take half as long to encode as those that sharp creates.
  const pixels = Buffer.alloc(width * height * 3, colour.slice(1), 'hex');
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A photo as an upload hands it to `submit`: a file in a folder. */
export async function uploadedPhoto(
  folder: string,
): Promise<{ path: string; name: string; bytes: number; sha256: string }> {
  const path = join(folder, `upload-${randomUUID()}`);
  const photo = await samplePhoto();
  await writeFile(path, photo);
  return { path, name: 'photo.png', bytes: photo.byteLength, sha256: 'of the sample photo' };
}
