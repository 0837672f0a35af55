import { closeSync, openSync, readSync } from 'node:fs';

/** What a TIFF file consists of. */
export interface TiffFile {
  /** Index of the page with the most pixels: others are thumbnails of it, or further pages of a scan. */
  largestPage: number;
  /** Whether it has the numbers of a camera's sensor: what can be opened of it is a thumbnail at most. */
  isRaw: boolean;
  /** Whether its largest page has numbers of more than sixteen bits, or with a point, whose black and white nobody says. */
  isWithoutRange: boolean;
  /** Whether that page has a channel that is neither a colour nor said to be transparency, such as a saved selection. */
  hasExtraChannel: boolean;
}

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  photometric: 262,
  orientation: 274,
  samples: 277,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  dngVersion: 50_706,
};
/** How many channels the colours have, by photometric: grey, RGB, palette, mask, CMYK, YCbCr, Lab. */
const colours: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 3,
  3: 1,
  4: 1,
  5: 4,
  6: 3,
  8: 3,
  9: 3,
  10: 3,
};
/** Its numbers have a range of their own, also with a point. */
const lab = 8;
/** Kinds of an extra channel, and of numbers (TIFF 6.0, 18 and 19). */
const unspecified = 0;
const [unsigned, signed, untyped] = [1, 2, 4];
/** Kinds of pixels (TIFF/EP, DNG 1.7): of a colour filter array, and its numbers without the filter. */
const sensorPhotometrics = [32_803, 34_892];
/** A file with more is read no further. */
const most = { directories: 64, entries: 512 };
/** Bytes of a value, by its type (TIFF 6.0, BigTIFF). */
const valueBytes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8 };

/** Reads the directories of a TIFF file, without its pixels. A part that cannot be read is left out. */
export function readTiff(path: string): TiffFile {
  const file = openSync(path, 'r');
  const read = (at: number, count: number) => {
    const bytes = Buffer.alloc(count);
    return Number.isSafeInteger(at) && readSync(file, bytes, 0, count, at) === count ? bytes : undefined;
  };
  try {
    return describe(directoriesOf(read));
  } finally {
    closeSync(file);
  }
}

/** How a picture is to be turned by its EXIF data: 1, not at all, to 8. @param exif from its byte order on */
export function exifOrientation(exif: Buffer): number {
  const [first] = directoriesOf((at, count) =>
    at >= 0 && at + count <= exif.length ? exif.subarray(at, at + count) : undefined,
  );
  const orientation = first?.values.get(tags.orientation)?.[0] ?? 1;
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

type Read = (at: number, count: number) => Buffer | undefined;
/** The first values of each tag. */
type Directory = { values: ReadonlyMap<number, readonly number[]>; isPage: boolean };

function describe(directories: readonly Directory[]): TiffFile {
  const first = ({ values }: Directory, tag: number, unless = 0) => values.get(tag)?.[0] ?? unless;
  const pages = directories.filter(({ isPage }) => isPage);
  const areas = pages.map((page) => first(page, tags.width) * first(page, tags.height));
  const largestPage = Math.max(0, areas.indexOf(Math.max(...areas)));
  const page = pages[largestPage];
  const format = page ? first(page, tags.sampleFormat, unsigned) : unsigned;
  const samples = page ? first(page, tags.samples, 1) : 1;
  const ofColours = (page && colours[first(page, tags.photometric)]) ?? samples;
  return {
    largestPage,
    isWithoutRange:
      page !== undefined &&
      first(page, tags.photometric) !== lab &&
      (![unsigned, signed, untyped].includes(format) || first(page, tags.bits, 1) > 16),
    hasExtraChannel:
      page !== undefined &&
      samples > ofColours &&
      first(page, tags.extraSamples, unspecified) === unspecified,
    isRaw: directories.some(
      (directory) =>
        directory.values.has(tags.dngVersion) ||
        sensorPhotometrics.includes(first(directory, tags.photometric)),
    ),
  };
}

/** @returns the pages in their order, and the directories that belong to one */
function directoriesOf(read: Read): Directory[] {
  const head = read(0, 16);
  if (!head) return [];
  const isLittle = head[0] === 0x49;
  const isBig = head[isLittle ? 2 : 3] === 43;
  const number = (bytes: Buffer, at: number, count: number) => {
    if (count === 8) return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    return isLittle ? bytes.readUIntLE(at, count) : bytes.readUIntBE(at, count);
  };
  const [offset, entryBytes, countBytes] = isBig ? [8, 20, 8] : [4, 12, 2];
  const waiting = [{ at: number(head, offset, offset), isPage: true }];
  const seen = new Set<number>();
  const directories: Directory[] = [];
  for (let next = waiting.shift(); next && directories.length < most.directories; next = waiting.shift()) {
    const { at, isPage } = next;
    const counted = at > 0 && !seen.has(at) && read(at, countBytes);
    if (!counted) continue;
    seen.add(at);
    const count = number(counted, 0, countBytes);
    if (count > most.entries) continue;
    const body = read(at + countBytes, count * entryBytes);
    if (!body) continue;
    const values = new Map<number, readonly number[]>();
    for (let entry = 0; entry < body.length; entry += entryBytes) {
      const bytes = valueBytes[number(body, entry + 2, 2)];
      const length = number(body, entry + 4, offset);
      if (bytes === undefined || length === 0) continue;
      const inPlace = bytes * length <= offset;
      const some = Math.min(length, most.directories);
      const stored = inPlace
        ? body.subarray(entry + 4 + offset)
        : read(number(body, entry + 4 + offset, offset), bytes * some);
      if (!stored) continue;
      values.set(
        number(body, entry, 2),
        Array.from({ length: inPlace ? length : some }, (_, index) => number(stored, index * bytes, bytes)),
      );
    }
    directories.push({ values, isPage });
    for (const child of values.get(tags.subDirectories) ?? []) waiting.push({ at: child, isPage: false });
    const following = isPage && read(at + countBytes + body.length, offset);
    if (following) waiting.push({ at: number(following, 0, offset), isPage: true });
  }
  return directories;
}
