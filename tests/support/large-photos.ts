/** Small files with very many pixels, built directly as bytes: running an encoder over all pixels would be slow. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const megabyte = 1024 * 1024;

/** A black interlaced PNG, 16-bit RGBA or grey: the decoder must keep the whole image in memory, 8 or 2 bytes per pixel. */
export function interlacedPng(width: number, height: number, { grey = false } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 16, colour type 0 (grey) or 6 (RGBA), interlaced.
  header.set([16, grey ? 0 : 6, 0, 0, 1], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk(
      'IDAT',
      zerosAsZlib(interlacedBytes(width, height, grey ? 2 : 8), onePixel.subarray(0, grey ? 3 : 9)),
    ),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The filter byte and the first pixel with 16 bits, which is white and opaque: a photo that shows nothing is refused. */
const onePixel = Uint8Array.of(0, ...Array<number>(8).fill(0xff));

/** Size in bytes of an interlaced PNG's rows, each after a filter byte (Adam7, PNG specification, 8.2). */
function interlacedBytes(width: number, height: number, bytesPerPixel: number): number {
  const passes: [x: number, y: number, stepX: number, stepY: number][] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  return passes.reduce((bytes, [x, y, stepX, stepY]) => {
    const columns = Math.max(0, Math.ceil((width - x) / stepX));
    const rows = Math.max(0, Math.ceil((height - y) / stepY));
    return bytes + (columns === 0 ? 0 : rows * (1 + columns * bytesPerPixel));
  }, 0);
}

/**
 * Zeros, compressed in a moment: each block is a megabyte of them.
 * @param start what stands before them
 */
export function zerosAsZlib(bytes: number, start: Uint8Array = new Uint8Array()): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const begin = deflateRawSync(start, { finishFlush: constants.Z_FULL_FLUSH });
  const zeros = bytes - start.length;
  const rest = deflateRawSync(Buffer.alloc(zeros % megabyte), { level: 9 });
  // Adler-32: with zeros the sum of bytes stays as it is, and the sum of sums grows by it.
  let [sum, sums] = [1, 0];
  for (const byte of start) {
    sum = (sum + byte) % 65_521;
    sums = (sums + sum) % 65_521;
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE((sums + sum * (zeros % 65_521)) % 65_521, 0);
  checksum.writeUInt16BE(sum, 2);
  const blocks = Array.from({ length: Math.floor(zeros / megabyte) }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0xda]), begin, ...blocks, rest, checksum]);
}

/** A chunk of a PNG with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const name = Buffer.from(type, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data, crc32(name)));
  return Buffer.concat([length, name, data, checksum]);
}

/** A PNG that says with which exponent its numbers are stored, in units of 1/100,000. */
export function withGamma(png: Buffer, gamma: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(gamma);
  const headerEnd = 33;
  return Buffer.concat([png.subarray(0, headerEnd), pngChunk('gAMA', data), png.subarray(headerEnd)]);
}

/** A grey JPEG whose first block is darker, 4:4:4. If progressive, the decoder must keep its coefficients in memory, 6 bytes per pixel. */
export function flatJpeg(width: number, height: number, { progressive = false } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  // Huffman tables: a zero bit is the DC difference 0, or the end of a block; 10 is a difference of eight bits.
  const codes = segment(0xc4, Buffer.from([0, 1, 1, ...Array(14).fill(0), 0, 8]));
  const ends = segment(0xc4, Buffer.from([0x10, 1, ...Array(15).fill(0), 0]));
  const all = [1, 2, 3];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const scan = (channels: number[], from: number, to: number, bits: number, bitsPerBlock: number) => [
    segment(
      0xda,
      Buffer.from([channels.length, ...channels.flatMap((channel) => [channel, 0]), from, to, bits]),
    ),
    Buffer.alloc(Math.ceil((blocks * channels.length * bitsPerBlock) / 8)),
  ];
  /** The first scan: its second block has a difference of 128, in nine more bits. A photo that shows nothing is refused. */
  const firstScan = (bits: number, bitsPerBlock: number, to: number) => {
    const [head] = scan(all, 0, to, bits, bitsPerBlock);
    const marked = Buffer.alloc(Math.ceil((blocks * 3 * bitsPerBlock + 9) / 8));
    marked.writeUInt16BE((0b10_1000_0000 << 6) >> (3 * bitsPerBlock), 0);
    return [head!, marked];
  };
  const scans = progressive
    ? [
        // DC without its last bit, AC of each channel, then the last bit of DC.
        ...firstScan(0x01, 1, 0),
        ...all.flatMap((channel) => scan([channel], 1, 63, 0, 1)),
        ...scan(all, 0, 0, 0x10, 1),
      ]
    : firstScan(0, 2, 63);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    segment(progressive ? 0xc2 : 0xc0, frame),
    codes,
    ends,
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
