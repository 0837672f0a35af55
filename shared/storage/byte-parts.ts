import { Readable } from 'node:stream';

/** Bytes of one part of a body: the time limit applies to each part. */
const partBytes = 65_536;

/** Bytes as a stream, so that one that no longer moves is noticed as soon as with streams. */
export function partsOf(bytes: Uint8Array): Readable {
  function* parts() {
    for (let at = 0; at < bytes.byteLength; at += partBytes) yield bytes.subarray(at, at + partBytes);
  }
  return Readable.from(parts());
}
