import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

let sample: Promise<Buffer> | undefined;

/** A small PNG photo, made once. */
export function samplePhoto(): Promise<Buffer> {
  sample ??= colouredPhoto('#b5482a');
  return sample;
}

/** A small photo of one colour, told apart from others by it. */
export function colouredPhoto(colour: string, width = 96, height = 64): Promise<Buffer> {
  return flatImage(width, height, colour).png().toBuffer();
}

/** An image of one colour, for the caller to encode. */
export function flatImage(width = 64, height = 48, colour = '#b5482a'): Sharp {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

/** A small photo as the upload leaves it for `submit`: a file of its own in a folder. */
export async function uploadedPhoto(
  folder: string,
): Promise<{ path: string; bytes: number; sha256: string }> {
  const path = join(folder, `upload-${randomUUID()}`);
  const photo = await samplePhoto();
  await writeFile(path, photo);
  return { path, bytes: photo.byteLength, sha256: 'of the sample photo' };
}
