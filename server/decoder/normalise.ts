/** What decoder processes do with photos. The server itself never reads one. */

import { limits } from '#shared/contract/limits.ts';
import type { PhotoWarning } from '#shared/contract/photo-check.ts';
import { checkPhoto } from '#shared/contract/photo-pixels.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { type OutputInfo, type Sharp, sharp } from '#shared/platform/sharp.ts';
import type { Outcome } from './jobs.ts';
import { type ReadHeader, readHeader } from './photo-header.ts';
import { pngGamma, srgbOfGamma } from './png-gamma.ts';
import { storageFailure } from './storage-failure.ts';
import { weighPhoto } from './weigh-photo.ts';

// No photo is decoded twice, so a cache would only use memory.
sharp.cache(false);
// One photo at a time is enough for a process, and each thread would hold rows of it in memory.
sharp.concurrency(1);

/** Reads a photo's header, and normalises the photo if that takes no more memory than `weight`, in bytes. */
export async function normaliseIfLight({
  weight: allowed,
  ...photo
}: {
  path: string;
  target: string;
  weight: number;
}): Promise<Outcome<'normaliseIfLight'>> {
  const weighed = await weighPhoto(photo.path);
  if (!('result' in weighed)) return weighed;
  const { result, header } = weighed;
  return result.weight <= allowed ? normaliseRead({ ...photo, header }) : { result };
}

/**
 * Makes a photo upright, sRGB with eight bits per channel, at most 2,048 pixels per side, and free of metadata.
 * Of an animation the first frame is used.
 * @param target path of the JPEG to write, or of the PNG if the photo has transparency
 */
export async function normalise(photo: { path: string; target: string }): Promise<Outcome<'normalise'>> {
  let header: ReadHeader;
  try {
    header = await readHeader(photo.path);
  } catch (error) {
    return storageFailure(error, photo.path) ?? { refused: 'IMAGE_CORRUPT' };
  }
  return normaliseRead({ ...photo, header });
}

/** What is normalised. */
interface ReadPhoto {
  path: string;
  target: string;
  header: ReadHeader;
}

async function normaliseRead(photo: ReadPhoto): Promise<Outcome<'normalise'>> {
  const { target } = photo;
  try {
    return await write(photo, 'warning');
  } catch (error) {
    const reason = storageFailure(error, target);
    if (reason) return reason;
    if (isTruncated(error)) return { refused: 'IMAGE_CORRUPT' };
  }
  // Other warnings, such as extra bytes between two segments of the file, do not affect the picture.
  try {
    return await write(photo, 'error');
  } catch (error) {
    return storageFailure(error, target) ?? { refused: 'IMAGE_CORRUPT' };
  }
}

/**
 * How photos without transparency are stored. At 99 the mean difference to the photo is below 1 of 255 whatever it shows,
 * even noise; at 95 a grainy photo has 1.8. Without a second pass over the coefficients, which would save 15 % of the bytes,
 * encoding takes half as long (docs/decisions/0076-cost-of-a-generation.md).
 */
const storedJpeg = { quality: 99, chromaSubsampling: '4:4:4', optimiseCoding: false } as const;
/** How photos with transparency are stored: the fastest level, since photos are hardly smaller with another one. */
const storedPng = { compressionLevel: 1 } as const;

/** Decodes the photo once: what is stored and what is checked are made of the same pixels. */
async function write(photo: ReadPhoto, failOn: 'warning' | 'error'): Promise<Outcome<'normalise'>> {
  const { target } = photo;
  const { data, info } = await decode(photo, failOn);
  const { width, height, channels } = info;
  const raw = { width, height, channels };
  if (channels === 4 && isInvisible(data)) return { refused: 'IMAGE_CORRUPT', message: invisibleMessage };
  const pixels = sharp(data, { raw });
  const format = channels === 4 ? 'png' : 'jpeg';
  // A thread of sharp's encodes the photo while this one checks it. Waits for both even if one fails: the file may be written again.
  const [stored, warnings] = await Promise.allSettled([
    (format === 'png' ? pixels.png(storedPng) : pixels.jpeg(storedJpeg)).toFile(target),
    warningsOf(data, raw),
  ]);
  // The next photo is often decoded before the garbage collector comes.
  releaseMemory(data);
  if (stored.status === 'rejected') throw stored.reason;
  if (warnings.status === 'rejected') throw warnings.reason;
  return { result: { format, width, height, bytes: stored.value.size, warnings: warnings.value } };
}

/** @returns the pixels as sRGB with eight bits, with a fourth channel if the photo has transparency */
async function decode(
  { path, header }: ReadPhoto,
  failOn: 'warning' | 'error',
): Promise<{ data: Buffer; info: OutputInfo }> {
  const photo = sharp(path, {
    failOn,
    limitInputPixels: limits.photoPixels,
    sequentialRead: true,
    page: header.page,
  })
    .autoOrient()
    .resize({
      width: limits.photoSide,
      height: limits.photoSide,
      fit: 'inside',
      withoutEnlargement: true,
    });
  // A fifth channel is an ink of its own or a saved selection. What is left of it would count as transparency.
  if (header.channels > 4) photo.removeAlpha();
  const gamma = header.format === 'png' ? pngGamma(path) : undefined;
  if (gamma !== undefined) return decodeWithGamma(photo, gamma);
  photo.toColourspace('srgb');
  // With 16 bits, sharp computes in Display P3, and converts from it only for a profile.
  if (header.channelBytes === 2 && header.hasProfile) photo.withIccProfile('srgb');
  return photo.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
}

/** Decodes a photo whose numbers are stored with another exponent than that of sRGB. */
async function decodeWithGamma(photo: Sharp, gamma: number): Promise<{ data: Buffer; info: OutputInfo }> {
  const decoded = await photo
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const { info } = decoded;
  const numbers = new Uint16Array(decoded.data.buffer, decoded.data.byteOffset, decoded.data.length / 2);
  const table = srgbOfGamma(gamma);
  const data = Buffer.alloc(numbers.length);
  for (let at = 0; at < numbers.length; at += 1) {
    const isOpacity = info.channels === 4 && at % 4 === 3;
    data[at] = isOpacity ? numbers[at]! / 257 : table[numbers[at]!]!;
  }
  releaseMemory(decoded.data);
  return { data, info };
}

const invisibleMessage =
  'One of the photos is fully transparent, so there is nothing to see in it. Please choose another one.';

/** @param data RGBA */
function isInvisible(data: Buffer): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return false;
  return true;
}

/** Checks a photo. @param data its pixels, RGB or RGBA */
async function warningsOf(
  data: Buffer,
  raw: Pick<OutputInfo, 'width' | 'height' | 'channels'>,
): Promise<PhotoWarning[]> {
  const { width, height, channels } = raw;
  const opaque =
    channels === 4 ? await sharp(data, { raw }).flatten({ background: 'white' }).raw().toBuffer() : data;
  const warnings = checkPhoto({ data: opaque, width, height, channels: 3 });
  if (opaque !== data) releaseMemory(opaque);
  return warnings;
}

/** Whether a JPEG ends before it has all pixels of its header: the rest would be grey. */
function isTruncated(error: unknown): boolean {
  return error instanceof Error && error.message.includes('premature end of data segment');
}

/** Makes a small WebP of an image. */
export async function makeThumbnail({ path }: { path: string }): Promise<Outcome<'thumbnail'>> {
  try {
    const result = await sharp(path)
      .resize({
        width: limits.thumbnailSide,
        height: limits.thumbnailSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 82 })
      .toBuffer();
    return { result };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return storageFailure(error, path) ?? { failed };
  }
}
