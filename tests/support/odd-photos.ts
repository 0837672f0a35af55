/** Unusual and malformed photos. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { pngChunk, pngSignature, zerosAsZlib } from './large-photos.ts';
import { flatImage } from './photos.ts';

function pngHeader(
  width: number,
  height: number,
  bitDepth: number,
  colourType: number,
  interlace = 0,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, interlace], 8);
  return pngChunk('IHDR', header);
}

/** The compressed pixel data of a PNG of one RGB colour but for its last row. */
function rgbRows(width: number, height: number, [red, green, blue]: readonly number[]): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set([red!, green!, blue!], 1 + x * 3);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  rows.fill(0, (height - 1) * row.length);
  return deflateSync(rows);
}

/** A black PNG with one bit per pixel: a few kilobytes, whatever its dimensions. */
export function blackPng(width: number, height: number, interlaced = false): Buffer {
  // Its first pixel is white: a photo that shows nothing is refused.
  const start = Uint8Array.of(0, 0x80).subarray(0, height === 0 ? 0 : width === 0 ? 1 : 2);
  const rows = zerosAsZlib(height * (1 + Math.ceil(width / 8)), start);
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height, 1, 0, interlaced ? 1 : 0),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animated PNG of two frames, each of one colour. */
export function animatedPng(
  first: readonly number[],
  second: readonly number[],
  width = 96,
  height = 64,
): Buffer {
  const control = (sequence: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence, 0);
    data.writeUInt32BE(width, 4);
    data.writeUInt32BE(height, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(10, 22);
    return pngChunk('fcTL', data);
  };
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(2, 0);
  const sequence = Buffer.from([0, 0, 0, 2]);
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height, 8, 2),
    pngChunk('acTL', frames),
    control(0),
    pngChunk('IDAT', rgbRows(width, height, first)),
    control(1),
    pngChunk('fdAT', Buffer.concat([sequence, rgbRows(width, height, second)])),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The same photo, padded to exactly `bytes` by a private chunk before its end. */
export function padPng(png: Buffer, bytes: number): Buffer {
  const end = png.length - 12;
  const padding = pngChunk('paDd', Buffer.alloc(bytes - png.length - 12));
  return Buffer.concat([png.subarray(0, end), padding, png.subarray(end)]);
}

/** A JPEG whose header claims other dimensions than its data has. */
export async function jpegClaiming(
  width: number,
  height: number,
  { progressive = false } = {},
): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#777' } })
    .jpeg({ progressive })
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** An AVIF whose header claims other dimensions than its data has. */
export async function avifClaiming(width: number, height: number): Promise<Buffer> {
  const avif = await flatImage().avif({ effort: 0 }).toBuffer();
  // The box of the spatial extents: its name, four bytes of version and flags, width and height.
  const extents = avif.indexOf('ispe');
  avif.writeUInt32BE(width, extents + 8);
  avif.writeUInt32BE(height, extents + 12);
  return avif;
}

/** A photo with EXIF orientation 6 and GPS: stored with red left and blue right, displayed with red on top. */
export function sidewaysPhoto(): Promise<Buffer> {
  return halves('#d02020', '#2020d0')
    .withExif({
      IFD0: { Make: 'Secret Camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
}

function halves(left: string, right: string, width = 96, height = 64) {
  return sharp({ create: { width, height, channels: 3, background: left } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: right } },
      left: width / 2,
      top: 0,
    },
  ]);
}

/**
 * Incompressible pixels, as raw RGB.
 * @param seed the same seed gives the same pixels
 */
export function noise(width: number, height: number, seed: number): Buffer {
  const words = new Uint32Array(Math.ceil((width * height * 3) / 4));
  let state = seed;
  for (let index = 0; index < words.length; index += 1) {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer, 0, width * height * 3);
}

/**
 * An SVG that takes long to draw, or to measure: each group uses the one before it twice, so that the last one is a million
 * rectangles. About 1.1 kB.
 */
export function nestedSvg(): Buffer {
  const groups = Array.from(
    { length: 20 },
    (_, level) => `<g id="g${level + 1}"><use href="#g${level}"/><use href="#g${level}"/></g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="g0" width="9" height="9"/>${groups.join('')}</defs><use href="#g20"/></svg>`,
  );
}
