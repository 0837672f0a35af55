import { limits } from '#contract/limits.ts';

/** What a photo's header says of it. */
export interface PhotoHeader {
  format: string;
  width: number;
  height: number;
  /** Channels of a pixel, once it is unpacked. */
  channels: number;
  /** Bytes of one channel. */
  channelBytes: number;
  /** An interlaced PNG, or a JPEG of several scans: the first row is complete only when all of it was read. */
  isProgressive: boolean;
}

const megabyte = 1024 * 1024;

/** What every photo takes: rows of it on their way, and the small one that is written. */
const baseBytes = 32 * megabyte;

/** Rows that are held of a photo that can be read row by row. */
const rowsHeld = 2_048;

/**
 * Memory that a photo takes while it is unpacked, in bytes: from above, as measured with libvips 8.18 (in brackets, bytes
 * a pixel). What is read row by row takes the whole budget at most.
 */
export function bytesToDecode(photo: PhotoHeader): number {
  const { format, width, height, channels, channelBytes, isProgressive } = photo;
  const pixels = width * height;
  const whole = pixels * channels * channelBytes;
  switch (format) {
    case 'jpeg':
      // Two bytes for each coefficient (6.3 of three channels); else a few rows, made smaller while they are read.
      return baseBytes + (isProgressive ? pixels * channels * 2.05 : 0);
    case 'png':
      // All of it, and as much again for the rows that are made smaller as of a PNG that is read row by row.
      if (isProgressive) return baseBytes + 64 * megabyte + whole * 1.05;
      return Math.min(limits.decodeBytes, baseBytes + (whole * 1.1 * Math.min(height, rowsHeld)) / height);
    case 'webp':
      // Lossless (4.5), whatever its channels; the header does not say whether it is.
      return baseBytes + pixels * 4.5;
    case 'heif':
      // AVIF: the frame, what it is predicted from, and the picture of it (18.8, and 26.5 above eight bits).
      return 2 * baseBytes + pixels * (channelBytes > 1 ? 27 : 19);
    default:
      // TIFF: its strips or tiles may be as large as itself.
      return Math.min(limits.decodeBytes, baseBytes + whole);
  }
}
