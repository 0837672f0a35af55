import { Readable } from 'node:stream';

const pieceBytes = 64 * 1024;

/** A file that is sent piece by piece, so that it can be told whether its reader takes any of it. */
export function inPieces(file: Uint8Array): Readable {
  function* pieces() {
    for (let start = 0; start < file.byteLength; start += pieceBytes)
      yield file.subarray(start, start + pieceBytes);
  }
  return Readable.from(pieces(), { objectMode: false });
}
