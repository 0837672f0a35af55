import { closeSync, openSync, readSync } from 'node:fs';
import { headBytes, type PhotoFormat, photoFormatOf } from '#shared/contract/photo-format.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { readHeicHeader } from './heic.ts';
import { readTiff, type TiffFile } from './tiff.ts';
import { profileOfVideoColours } from './video-colours.ts';
import type { PhotoHeader } from './weight.ts';

const channelBytes: Readonly<Record<string, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};

/** What is known of a photo before it is decoded. */
export interface ReadHeader extends PhotoHeader {
  page: number;
  hasProfile: boolean;
  /** Without an ICC profile in the file: one of the colours that its numbers are, unless those of sRGB. */
  videoProfile: Uint8Array | undefined;
  /** Whether it has a channel that is left out (tiff.ts). */
  hasExtraChannel: boolean;
}

/**
 * Reads what the header of a photo says, of a TIFF that of its largest page. Nothing is decoded.
 * @param start what was read of it already
 */
export async function readHeader(path: string, start = readStart(path)): Promise<ReadHeader> {
  const { type, tiff } = start;
  if (type === 'heic') return readAsHeic(path);
  const first = await sharp(path, { limitInputPixels: false }).metadata();
  const page = tiff?.largestPage ?? 0;
  const photo = page === 0 ? first : await sharp(path, { limitInputPixels: false, page }).metadata();
  const { format, width, height, channels, depth, isProgressive, icc } = photo;
  const bytes = channelBytes[depth] ?? 16;
  return {
    format,
    width,
    height,
    channels,
    channelBytes: bytes,
    isProgressive,
    page,
    hasProfile: icc !== undefined,
    videoProfile: icc === undefined ? profileOfVideoColours(path, format) : undefined,
    hasExtraChannel: tiff?.hasExtraChannel === true || channels > 4,
  };
}

async function readAsHeic(path: string): Promise<ReadHeader> {
  const { bits, profile, orientation: _, ...header } = await readHeicHeader(path);
  return {
    ...header,
    format: 'heic',
    channelBytes: bits > 8 ? 2 : 1,
    isProgressive: false,
    page: 0,
    hasProfile: profile !== null,
    videoProfile: undefined,
    hasExtraChannel: false,
  };
}

/** What is read of a photo without opening it as a picture. */
interface PhotoStart {
  head: Buffer;
  /** By its first bytes; null for a type that is not taken. */
  type: PhotoFormat | null;
  tiff: TiffFile | undefined;
}

export function readStart(path: string): PhotoStart {
  const head = firstBytes(path);
  const type = photoFormatOf(head);
  return { head, type, tiff: type === 'tiff' ? readTiff(path) : undefined };
}

/** The bytes by which a photo's format is known. Without a thread, because it takes less time than to wait for one. */
function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}
