const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What the picture needs; text, colour profiles and the like are not even given to a decoder. */
const chunksOfPicture: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Bytes of a chunk besides its data: length, type and checksum. */
const chunkFrame = 12;
const headerBytes = 13;
/** Colour types with an alpha channel: grey and colour. Others may have a chunk with transparent colours. */
const alphaTypes: ReadonlySet<number> = new Set([4, 6]);

/** A PNG as its header describes it. */
interface PlainPng {
  width: number;
  height: number;
  /** Whether it can have transparent pixels. */
  hasAlpha: boolean;
  /** The file with only the chunks of its picture. */
  bytes: Buffer;
}

/**
 * Reads the header and the list of chunks of a PNG, without a decoder.
 * @returns null if it is no complete PNG
 */
export function plainPngOf(file: Buffer): PlainPng | null {
  if (!file.subarray(0, signature.length).equals(signature)) return null;
  const kept: Buffer[] = [signature];
  let hasColours = false;
  let type = '';
  for (let start = signature.length; type !== 'IEND'; ) {
    if (start + chunkFrame > file.length) return null;
    const length = file.readUInt32BE(start);
    const end = start + chunkFrame + length;
    if (end > file.length) return null;
    type = file.toString('latin1', start + 4, start + 8);
    if ((start === signature.length) !== (type === 'IHDR' && length === headerBytes)) return null;
    if (type === 'tRNS') hasColours = true;
    if (chunksOfPicture.has(type)) kept.push(file.subarray(start, end));
    start = end;
  }
  const header = signature.length + 8;
  return {
    width: file.readUInt32BE(header),
    height: file.readUInt32BE(header + 4),
    hasAlpha: alphaTypes.has(file[header + 9]!) || hasColours,
    bytes: Buffer.concat(kept),
  };
}
