/** Files that begin as photos and take long to read, for a reader that believes them. */
import { pngChunk, pngSignature } from './large-photos.ts';

const megabyte = 1024 * 1024;

/** The header of a PNG of 1,024 × 1,024 pixels with alpha. */
const header = Buffer.from([0, 0, 4, 0, 0, 0, 4, 0, 8, 6, 0, 0, 0]);

/** @param rest what follows the header */
const png = (...rest: Buffer[]) => Buffer.concat([pngSignature, pngChunk('IHDR', header), ...rest]);

/** So many times the same. */
const times = (record: Buffer | string, bytes: number) => {
  const one = Buffer.from(record as string, 'latin1');
  return Buffer.concat(Array(Math.floor(bytes / one.length)).fill(one));
};

const claims4GB = Buffer.alloc(4, 0xff);

/** PNGs of about so many bytes, each with what it is. */
export const hostilePngs = (bytes: number): [what: string, file: Buffer][] => [
  ['a chunk that claims 4 GB', png(claims4GB, Buffer.from('IDAT'), Buffer.alloc(bytes - 100))],
  [
    'a header that claims 4 GB',
    Buffer.concat([pngSignature, claims4GB, Buffer.from('IHDR'), Buffer.alloc(bytes - 100)]),
  ],
  ['chunks without data', png(times(pngChunk('IDAT', Buffer.alloc(0)), bytes - 100))],
  ['texts without data', png(times(pngChunk('tEXt', Buffer.alloc(0)), bytes - 100))],
];

/** Photos of each format, each with what it is. */
export function hostilePhotos(): [what: string, file: Buffer][] {
  const start = Buffer.from([0xff, 0xd8, 0xff]);
  const comment = Buffer.concat([Buffer.from([0xfe, 0xff, 0xff]), Buffer.alloc(65_533), Buffer.from([0xff])]);
  return [
    ...hostilePngs(megabyte).map(([what, file]): [string, Buffer] => [`a PNG: ${what}`, file]),
    ['a PNG of compressed texts', png(times(pngChunk('zTXt', Buffer.from('a\0\0')), megabyte))],
    ['a JPEG of markers', Buffer.concat([start, times('\xe1\0\x02\xff', megabyte)])],
    ['a JPEG of fill bytes', Buffer.concat([start, Buffer.alloc(4 * megabyte, 0xff)])],
    ['a JPEG of comments', Buffer.concat([start, times(comment, 4 * megabyte)])],
    ['a WebP of empty chunks', webp(times('ABCD\0\0\0\0', megabyte))],
    [
      'a WebP whose chunk claims 4 GB',
      webp(Buffer.concat([Buffer.from('VP8X'), claims4GB, Buffer.alloc(megabyte)])),
    ],
    ['an AVIF of boxes without size', avif(times('\0\0\0\0meta', megabyte))],
    ['an AVIF of boxes in boxes', avif(boxesInBoxes(10_000))],
    ['a TIFF whose list of fields is followed by itself', tiffInARing()],
  ];
}

function webp(chunks: Buffer): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(chunks.length + 4, 4);
  return Buffer.concat([head, chunks]);
}

const avif = (boxes: Buffer) =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypavif\0\0\0\0avifmif1', 'latin1'), boxes]);

function boxesInBoxes(depth: number): Buffer {
  const boxes = Buffer.alloc(depth * 12);
  for (let at = 0; at < depth; at += 1) {
    boxes.writeUInt32BE((depth - at) * 12, at * 12);
    boxes.write('meta', at * 12 + 4, 'latin1');
  }
  return boxes;
}

function tiffInARing(): Buffer {
  const file = Buffer.alloc(64);
  file.write('II*\0', 'latin1');
  // Where the first list is, which has no fields and names the next one.
  file.writeUInt32LE(8, 4);
  file.writeUInt32LE(8, 10);
  return file;
}
