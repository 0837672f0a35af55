/** TIFF files with several directories, which sharp does not write. */

/** One directory: a picture of one colour but for its last pixel. */
export interface TiffPicture {
  width: number;
  height: number;
  /** One number per channel. */
  colour: readonly number[];
  /** 2 is RGB, 5 CMYK, 32,803 the numbers of a sensor (TIFF 6.0, TIFF/EP). */
  photometric: number;
  /** What the last channels are: 0 if nobody says, 2 for transparency. By default 0 for those after the fourth. */
  extra?: readonly number[];
  /** 3 for floating-point numbers, of which `colour` has the bytes; 1 unless given. */
  sampleFormat?: number;
  bits?: number;
  /** Pictures that belong to this one and are no pages. */
  children?: readonly TiffPicture[];
}

const types = { short: 3, long: 4 };

/** @returns the file, uncompressed, with the low byte first */
export function tiffFile(pages: readonly TiffPicture[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let end = 8;
  const append = (part: Buffer) => {
    const at = end;
    const padded = part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)]);
    parts.push(padded);
    end += padded.length;
    return at;
  };
  const numbers = (values: readonly number[], bytes: 2 | 4) => {
    const part = Buffer.alloc(values.length * bytes);
    for (const [index, value] of values.entries()) part.writeUIntLE(value, index * bytes, bytes);
    return part;
  };
  /** @returns where the directory is, and where it says which page is next */
  const write = (picture: TiffPicture): { at: number; next: Buffer } => {
    const { width, height, colour, photometric, sampleFormat, bits = 8, children = [] } = picture;
    const extra = picture.extra ?? colour.slice(4).map(() => 0);
    const samples = (colour.length * 8) / bits;
    const offsets = children.map((child) => write(child).at);
    const data = Buffer.concat(Array.from({ length: width * height }, () => Buffer.from(colour)));
    for (let at = data.length - colour.length; at < data.length; at += 1) data[at] = data[at]! ^ 0x80;
    const pixels = append(data);
    const entries: [tag: number, type: 'short' | 'long', values: number[]][] = [
      [256, 'long', [width]],
      [257, 'long', [height]],
      [258, 'short', Array<number>(samples).fill(bits)],
      [259, 'short', [1]],
      [262, 'short', [photometric]],
      [273, 'long', [pixels]],
      [277, 'short', [samples]],
      [278, 'long', [height]],
      [279, 'long', [width * height * colour.length]],
      ...(offsets.length > 0 ? [[330, 'long', offsets] as [number, 'long', number[]]] : []),
      ...(extra.length > 0 ? [[338, 'short', [...extra]] as [number, 'short', number[]]] : []),
      ...(sampleFormat === undefined
        ? []
        : [[339, 'short', Array<number>(samples).fill(sampleFormat)] as [number, 'short', number[]]]),
    ];
    const body = Buffer.alloc(2 + entries.length * 12);
    body.writeUInt16LE(entries.length, 0);
    for (const [index, [tag, type, values]] of entries.entries()) {
      const at = 2 + index * 12;
      const stored = numbers(values, type === 'short' ? 2 : 4);
      body.writeUInt16LE(tag, at);
      body.writeUInt16LE(types[type], at + 2);
      body.writeUInt32LE(values.length, at + 4);
      if (stored.length <= 4) stored.copy(body, at + 8);
      else body.writeUInt32LE(append(stored), at + 8);
    }
    const at = append(body);
    const next = Buffer.alloc(4);
    append(next);
    return { at, next };
  };
  let link = parts[0]!.subarray(4);
  for (const page of pages) {
    const { at, next } = write(page);
    link.writeUInt32LE(at);
    link = parts[parts.lastIndexOf(next)]!;
  }
  return Buffer.concat(parts);
}
