import { sharp } from '#shared/platform/sharp.ts';
import { readTiff, type TiffFile } from './tiff.ts';
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
}

/**
 * Reads what the header of a photo says, of a TIFF that of its largest page. Nothing is decoded.
 * @param tiff the file, if it is a TIFF that was read already
 */
export async function readHeader(path: string, tiff?: TiffFile): Promise<ReadHeader> {
  const first = await sharp(path, { limitInputPixels: false }).metadata();
  const page = first.format === 'tiff' ? (tiff ?? readTiff(path)).largestPage : 0;
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
  };
}
