import { inflateRawSync } from 'node:zlib';

/** Signatures of a ZIP's records: a file's own header, its entry in the central directory, and the end of that. */
const fileHeader = 0x04034b50;
const directoryEntry = 0x02014b50;
const endOfDirectory = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** Bytes of these records without names, comments and extra fields. */
const fileHeaderBytes = 30;
const entryBytes = 46;
const endBytes = 22;
/** Bytes of the longest comment after the end record. */
const commentBytes = 0xffff;
/** More than any document of a word processor has: with a thousand pictures it has about as many entries. */
const entriesMost = 4_000;
const stored = 0;
const deflated = 8;

/**
 * Reads one file of a ZIP whose bytes come from a stranger: looks at no more than `entriesMost` entries of its central
 * directory and decompresses nothing else.
 * @param most bytes of the file; it is not decompressed beyond them
 * @returns undefined if it is no ZIP, is damaged, or has no such file of at most that size
 */
export function readZipEntry(zip: Buffer, name: string, most: number): Buffer | undefined {
  if (zip.length < fileHeaderBytes || zip.readUInt32LE(0) !== fileHeader) return undefined;
  const entry = findEntry(zip, Buffer.from(name));
  if (entry === undefined) return undefined;
  const start = zip.readUInt32LE(entry + 42);
  if (start + fileHeaderBytes > zip.length || zip.readUInt32LE(start) !== fileHeader) return undefined;
  const from = start + fileHeaderBytes + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const data = zip.subarray(from, from + zip.readUInt32LE(entry + 20));
  const method = zip.readUInt16LE(entry + 10);
  if (method === stored) return data.length <= most ? data : undefined;
  if (method !== deflated) return undefined;
  try {
    return inflateRawSync(data, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

/** @returns where the entry of a file begins in the central directory of a ZIP; undefined without one */
function findEntry(zip: Buffer, name: Buffer): number | undefined {
  const tail = Math.max(0, zip.length - endBytes - commentBytes);
  const end = zip.subarray(tail).lastIndexOf(endOfDirectory) + tail;
  if (end < tail || end + endBytes > zip.length) return undefined;
  const count = zip.readUInt16LE(end + 10);
  if (count > entriesMost) return undefined;
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + entryBytes > end || zip.readUInt32LE(at) !== directoryEntry) return undefined;
    const nameEnd = at + entryBytes + zip.readUInt16LE(at + 28);
    if (zip.subarray(at + entryBytes, nameEnd).equals(name)) return at;
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}
