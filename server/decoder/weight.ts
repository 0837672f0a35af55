import { serverLimits } from '#contract/server-limits.ts';

/** What a photo's header says. */
export interface PhotoHeader {
  format: string;
  width: number;
  height: number;
  /** Channels per decoded pixel. */
  channels: number;
  /** Bytes per channel. */
  channelBytes: number;
  /** An interlaced PNG or a progressive JPEG: the first row is complete only when the whole file was read. */
  isProgressive: boolean;
  /** Of a HEIC: whether its colours have half as many rows and columns (4:2:0), and whether it consists of tiles. */
  hasHalfColour?: boolean;
  isTiled?: boolean;
}

const megabyte = 1024 * 1024;

/**
 * Memory that is reserved for a photo before its header is read, in bytes: enough for any baseline JPEG, and for a PNG or a
 * WebP of four megapixels. These take one job of a decoder process instead of two.
 */
export const lightBytes = 64 * megabyte;

/** Memory of any photo: rows that are being processed, the pixels of the resized photo, and its luma (36.8). */
const baseBytes = 44 * megabyte;

/** Rows held in memory of a photo that is read row by row. */
const rowsHeld = 2_048;

/**
 * Upper bound of the memory that decoding a photo takes, in bytes. Measured with libvips 8.18; the measured bytes per
 * pixel are in brackets. A photo that is read row by row takes at most the whole budget.
 */
export function bytesToDecode(photo: PhotoHeader): number {
  const { format, width, height, channels, channelBytes, isProgressive } = photo;
  const pixels = width * height;
  const whole = pixels * channels * channelBytes;
  switch (format) {
    case 'jpeg':
      // Progressive: two bytes per coefficient (6.3 with three channels). Baseline: a few rows, resized as they are read.
      return baseBytes + (isProgressive ? pixels * channels * 2.05 : 0);
    case 'png':
      // Interlaced: the whole photo, and the rows that are being resized, as for a PNG that is read row by row.
      if (isProgressive) return baseBytes + 64 * megabyte + whole * 1.05;
      return Math.min(
        serverLimits.decodeBytes,
        baseBytes + (whole * 1.1 * Math.min(height, rowsHeld)) / height,
      );
    case 'webp':
      // Lossless (4.5) with any number of channels; the header does not say whether it is lossless.
      return baseBytes + pixels * 4.5;
    case 'heif':
      // AVIF: the frame, its reference frames, and the decoded picture (18.8; 26.5 with more than eight bits).
      return 72 * megabyte + pixels * (channelBytes > 1 ? 27 : 19);
    case 'heic': {
      // The picture as it is coded, upright, and as red, green and blue, which are copied (4:2:0, in tiles: 9.0; whole: 10.5;
      // 4:4:4: 13.5). A whole one is in the decoder as well. With more than eight bits all of it is twice as large (31.5).
      const coded = photo.hasHalfColour ? 1.5 : 3;
      const bytes = 2 * coded + 2 * channels + (photo.isTiled ? 0 : coded);
      return baseBytes + pixels * bytes * (channelBytes > 1 ? 2.2 : 1);
    }
    default:
      // TIFF: a strip or tile may be as large as the whole photo, and further tiles are read meanwhile.
      return Math.min(serverLimits.decodeBytes, 2 * baseBytes + whole);
  }
}
