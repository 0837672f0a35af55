/** What decoder processes do with photos. The server itself never reads one. */

import { limits } from '#shared/contract/limits.ts';
import type { PhotoWarning } from '#shared/contract/photo-check.ts';
import { checkPhoto } from '#shared/contract/photo-pixels.ts';
import { imageXmp } from '#shared/images/image-xmp.ts';
import { releaseMemory } from '#shared/platform/release-memory.ts';
import { type OutputInfo, type Sharp, sharp } from '#shared/platform/sharp.ts';
import { emptinessOf } from './empty-photo.ts';
import { decodeHeic, HeicFault } from './heic.ts';
import { lacksOnlyItsEnd } from './incomplete-photo.ts';
import type { Jobs, Outcome } from './jobs.ts';
import { type ReadHeader, readHeader } from './photo-header.ts';
import { pixelFile } from './pixel-file.ts';
import { pngGamma, srgbOfGamma } from './png-gamma.ts';
import { refusalOf } from './refusal.ts';
import { failureOf, storageFailure } from './storage-failure.ts';
import { weighPhoto } from './weigh-photo.ts';

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
    return refusalOf(error, photo.path);
  }
  return normaliseRead({ ...photo, header });
}

/** At what decoding gives up. */
type FailOn = 'warning' | 'error' | 'none';

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
    if (error instanceof HeicFault || storageFailure(error, target)) return refusalOf(error, target);
    // Other warnings, such as extra bytes between two segments of the file, do not affect the picture.
    const second = isTruncated(error) ? undefined : await tryWrite(photo, 'error');
    if (second) return second;
  }
  const outcome = (await lacksOnlyItsEnd(photo)) ? await tryWrite(photo, 'none') : undefined;
  if (!outcome) return { refused: 'IMAGE_CORRUPT' };
  if (!('result' in outcome)) return outcome;
  return { result: { ...outcome.result, warnings: ['incomplete', ...outcome.result.warnings] } };
}

/** Writes a photo. @returns undefined if it cannot be decoded */
async function tryWrite(photo: ReadPhoto, failOn: FailOn): Promise<Outcome<'normalise'> | undefined> {
  try {
    return await write(photo, failOn);
  } catch (error) {
    return storageFailure(error, photo.target);
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
async function write(photo: ReadPhoto, failOn: FailOn): Promise<Outcome<'normalise'>> {
  const { target } = photo;
  const { data, info } = await decode(photo, failOn);
  const { width, height, channels } = info;
  const raw = { width, height, channels };
  const nothing = emptinessOf(data, channels);
  if (nothing) return { refused: 'IMAGE_CORRUPT', message: nothing };
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
  const found = warnings.value;
  if (photo.header.hasExtraChannel) found.push('extra-channel');
  return { result: { format, width, height, bytes: stored.value.size, warnings: found } };
}

/** @returns the pixels as sRGB with eight bits, with a fourth channel if the photo has transparency */
async function decode(
  { path, header }: ReadPhoto,
  failOn: FailOn,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const heic = header.format === 'heic' ? await decodeHeic(path) : undefined;
  const photo = sharp(heic ?? path, {
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
  // It is an ink of its own or a saved selection, and would count as transparency.
  if (header.hasExtraChannel) photo.removeAlpha();
  const gamma = header.format === 'png' ? pngGamma(path) : undefined;
  if (gamma !== undefined) return decodeWithGamma(photo, gamma);
  photo.toColourspace('srgb');
  // With 16 bits, sharp computes in Display P3, and converts from it only for a profile.
  if (header.channelBytes === 2 && header.hasProfile) photo.withIccProfile('srgb');
  const decoded = await photo.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (heic) releaseMemory(heic);
  return header.videoProfile ? withProfile(decoded, header.videoProfile) : decoded;
}

/** Converts pixels from a profile that their file did not have to sRGB. */
async function withProfile(
  { data, info }: { data: Buffer; info: OutputInfo },
  profile: Uint8Array,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const { width, height } = info;
  const channels = info.channels === 4 ? 4 : 3;
  const file = pixelFile({ width, height, channels, bits: 8, isPremultiplied: false, profile }, data);
  releaseMemory(data);
  return sharp(file).toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
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
export async function makeThumbnail({
  path,
  sourceType,
}: Jobs['thumbnail']['given']): Promise<Outcome<'thumbnail'>> {
  try {
    const small = sharp(path)
      .resize({
        width: limits.thumbnailSide,
        height: limits.thumbnailSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 82 });
    if (sourceType) small.withXmp(imageXmp(sourceType));
    return { result: await small.toBuffer() };
  } catch (error) {
    return failureOf(error, path);
  }
}
