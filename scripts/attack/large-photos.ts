/** Photos of many pixels in few bytes, made byte by byte: no encoder has to go through all those pixels. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const megabyte = 1024 * 1024;

/** A black PNG of 16 bits a channel with alpha, interlaced: the decoder has to hold all of it, 8 bytes a pixel. */
export function interlacedPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 16 bits, red, green, blue and alpha, interlaced.
  header.set([16, 6, 0, 0, 1], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', zerosAsZlib(interlacedBytes(width, height, 8))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Bytes of an interlaced PNG's rows, each with a filter byte in front (Adam7, PNG specification, 8.2). */
function interlacedBytes(width: number, height: number, bytesPerPixel: number): number {
  const passes: [x: number, y: number, acrossBy: number, downBy: number][] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  return passes.reduce((bytes, [x, y, acrossBy, downBy]) => {
    const columns = Math.max(0, Math.ceil((width - x) / acrossBy));
    const rows = Math.max(0, Math.ceil((height - y) / downBy));
    return bytes + (columns === 0 ? 0 : rows * (1 + columns * bytesPerPixel));
  }, 0);
}

/** So many zeros as a zlib stream: one megabyte of them is compressed once and repeated. */
function zerosAsZlib(bytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const rest = deflateRawSync(Buffer.alloc(bytes % megabyte), { level: 9 });
  // Adler-32 of zeros: the sum of bytes stays 1, and the sum of sums counts them.
  const checkSum = Buffer.alloc(4);
  checkSum.writeUInt16BE(bytes % 65_521, 0);
  checkSum.writeUInt16BE(1, 2);
  const blocks = Array.from({ length: Math.floor(bytes / megabyte) }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, rest, checkSum]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checkSum = Buffer.alloc(4);
  checkSum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checkSum]);
}

/** A grey JPEG of three channels, the colours not made smaller. Progressive, the decoder has to hold 6 bytes a pixel. */
export function flatJpeg(width: number, height: number, { progressive = false } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  // One code each, a zero bit: no difference to the block before, and no detail.
  const codes = (kind: number) => segment(0xc4, Buffer.from([kind << 4, 1, ...Array(15).fill(0), 0]));
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const scan = (channels: number[], from: number, to: number, bits: number, bitsPerBlock: number) => [
    segment(
      0xda,
      Buffer.from([channels.length, ...channels.flatMap((channel) => [channel, 0]), from, to, bits]),
    ),
    Buffer.alloc(Math.ceil((blocks * channels.length * bitsPerBlock) / 8)),
  ];
  const all = [1, 2, 3];
  const scans = progressive
    ? [
        // Brightness and colour of the blocks but for their last bit, then details, then the last bit.
        ...scan(all, 0, 0, 0x01, 1),
        ...all.flatMap((channel) => scan([channel], 1, 63, 0, 1)),
        ...scan(all, 0, 0, 0x10, 1),
      ]
    : scan(all, 0, 63, 0, 2);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    segment(progressive ? 0xc2 : 0xc0, frame),
    codes(0),
    codes(1),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
