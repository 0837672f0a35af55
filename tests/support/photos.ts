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

/** A small photo of almost one colour, so that tests can tell photos apart. */
export function colouredPhoto(colour: string, width = 96, height = 64): Promise<Buffer> {
  return flatImage(width, height, colour).png().toBuffer();
}

/** Pixels per side of what an image of one colour has in its last corner: a photo that shows nothing is refused. */
const mark = 4;

/**
 * An image of one colour but for a mark in its last corner, for the caller to encode.
 * @param colour as `#rrggbb`
 */
export function flatImage(width = 96, height = 64, colour = '#b5482a'): Sharp {
  // Ready pixels take half as long to encode as those that sharp creates.
  const pixels = Buffer.alloc(width * height * 3, colour.slice(1), 'hex');
  for (let y = Math.max(0, height - mark); y < height; y += 1) {
    const [from, to] = [(y * width + Math.max(0, width - mark)) * 3, (y + 1) * width * 3];
    for (let at = from; at < to; at += 1) pixels[at] = pixels[at]! ^ 0x80;
  }
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
