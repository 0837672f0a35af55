/** What the pixels of a file are. */
export interface PixelFormat {
  width: number;
  height: number;
  channels: 3 | 4;
  bits: 8 | 16;
  /** Whether the colours are multiplied by the opacity, which is the fourth channel. */
  isPremultiplied: boolean;
  /** How the picture is to be turned, as EXIF names it; unless given, not at all. */
  orientation?: number;
  /** An ICC profile; null for sRGB. */
  profile: Uint8Array | null;
}

/** Rows that are read at once. */
const stripRows = 64;

/** Puts pixels into an uncompressed TIFF: the only way to hand them to sharp with a profile. @param pixels row by row */
export function pixelFile(format: PixelFormat, pixels: Uint8Array): Buffer {
  const { width, height, channels, bits, isPremultiplied, orientation = 1, profile } = format;
  const strips = Math.ceil(height / stripRows);
  const stripBytes = width * channels * (bits / 8) * stripRows;
  const lengths = Array.from({ length: strips }, (_, strip) =>
    Math.min(stripBytes, pixels.length - strip * stripBytes),
  );
  const offsets = long(...lengths);
  const fields: Field[] = [
    [256, long(width)],
    [257, long(height)],
    [258, short(...Array<number>(channels).fill(bits))],
    [259, short(1)],
    [262, short(2)],
    [273, offsets],
    [274, short(orientation)],
    [277, short(channels)],
    [278, long(stripRows)],
    [279, long(...lengths)],
  ];
  if (channels === 4) fields.push([338, short(isPremultiplied ? 1 : 2)]);
  // A profile of grey, which grey pictures have, does not fit pixels with three colours.
  if (profile && Buffer.from(profile.subarray(16, 20)).toString() === 'RGB ') {
    fields.push([34_675, { type: 7, count: profile.length, body: Buffer.from(profile) }]);
  }
  const inFields = (body: Buffer) => body.length <= 4;
  const directoryBytes = 2 + fields.length * 12 + 4;
  const outside = fields.filter(([, { body }]) => !inFields(body));
  let start = 8 + directoryBytes + outside.reduce((sum, [, { body }]) => sum + even(body.length), 0);
  for (const [strip, length] of lengths.entries()) {
    offsets.body.writeUInt32LE(start, strip * 4);
    start += length;
  }
  const file = Buffer.alloc(start);
  file.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  file.writeUInt16LE(fields.length, 8);
  let end = 8 + directoryBytes;
  for (const [index, [tag, { type, count, body }]] of fields.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    if (!inFields(body)) file.writeUInt32LE(end, at + 8);
    body.copy(file, inFields(body) ? at + 8 : end);
    if (!inFields(body)) end += even(body.length);
  }
  file.set(pixels, end);
  return file;
}

/** A field of a TIFF: its tag and its values. */
type Field = [tag: number, values: { type: number; count: number; body: Buffer }];

const even = (length: number) => length + (length % 2);

function short(...values: number[]) {
  const body = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) body.writeUInt16LE(value, index * 2);
  return { type: 3, count: values.length, body };
}

function long(...values: number[]) {
  const body = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) body.writeUInt32LE(value, index * 4);
  return { type: 4, count: values.length, body };
}
