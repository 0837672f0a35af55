/** Finds where the picture of a JPEG ends, in bytes that come piece by piece. */
export interface JpegEnd {
  /** Takes the next bytes. */
  push(bytes: Uint8Array): void;
  /** Bytes up to the end of the picture; undefined while it was not found, and for ever if the file is no JPEG. */
  readonly found: number | undefined;
}

const endOfImage = 0xd9;
/** Markers without a length: one that stands alone, and those within a scan. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * What follows the first picture is another one (MPO), or a video (motion photos). A preview inside of the picture's own
 * segments does not count.
 */
export function createJpegEnd(): JpegEnd {
  let found: number | undefined;
  let taken = 0;
  /** Bytes of a segment that are still to be skipped. */
  let left = 0;
  /** What the next byte is: anything up to a marker, its kind, or the first or second byte of a length. */
  let next: 'any' | 'kind' | 'high' | 'low' | 'none' = 'any';
  let length = 0;
  return {
    get found() {
      return found;
    },
    push(bytes) {
      for (let at = 0; at < bytes.length && next !== 'none'; ) {
        if (left > 0) {
          const skipped = Math.min(left, bytes.length - at);
          at += skipped;
          left -= skipped;
          continue;
        }
        if (next === 'any') {
          // Data of a scan, or stray bytes before a marker.
          const start = bytes.indexOf(0xff, at);
          if (taken + at === 0 && start !== 0) next = 'none';
          else if (start < 0) break;
          else [at, next] = [start + 1, 'kind'];
          continue;
        }
        const byte = bytes[at]!;
        at += 1;
        if (next === 'kind') {
          if (byte === endOfImage) [found, next] = [taken + at, 'none'];
          else if (byte !== 0xff) next = byte === 0 || isAlone(byte) ? 'any' : 'high';
        } else if (next === 'high') [length, next] = [byte * 256, 'low'];
        else {
          left = Math.max(0, length + byte - 2);
          next = 'any';
        }
      }
      taken += bytes.length;
    },
  };
}
