import { crc32 } from 'node:zlib';
import type { DigitalSourceType } from '#shared/contract/export-presets.ts';
import { imageXmp, listOfIptc } from './image-xmp.ts';

const signatureBytes = 8;
/** Bytes of a chunk besides its data: length, type and checksum. */
const frameBytes = 12;
const xmpKeyword = 'XML:com.adobe.xmp';
/** The chunk of Content Credentials (C2PA). They sign all bytes of the file beside themselves. */
const credentials = 'caBX';
/** Chunks that can say how an image was made. */
const saying: ReadonlySet<string> = new Set(['iTXt', credentials]);

/**
 * Writes into a PNG how its image was made, as XMP. Its pixels stay as they are encoded. A file that says it already stays
 * as it is, because a byte more would break the signature of its Content Credentials. Others cannot hold, and are removed.
 * @param png a complete PNG
 */
export function markPng(png: Buffer, sourceType: DigitalSourceType): Buffer {
  const kept: Buffer[] = [];
  for (let start = signatureBytes; start + frameBytes <= png.length; ) {
    const chunk = png.subarray(start, start + frameBytes + png.readUInt32BE(start));
    const type = chunk.toString('latin1', 4, 8);
    if (saying.has(type) && chunk.includes(listOfIptc)) return png;
    // Behind the header.
    if (kept.length === 1) kept.push(xmpChunk(sourceType));
    if (type !== credentials) kept.push(chunk);
    start += chunk.length;
  }
  return Buffer.concat([png.subarray(0, signatureBytes), ...kept]);
}

function xmpChunk(sourceType: DigitalSourceType): Buffer {
  // Keyword, not compressed, no language, no translated keyword.
  const body = Buffer.from(`iTXt${xmpKeyword}\0\0\0\0\0${imageXmp(sourceType)}`, 'utf8');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
