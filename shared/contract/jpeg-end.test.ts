import { expect, test } from 'vitest';
import { createJpegEnd } from './jpeg-end.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** A picture with a preview in a segment, a filled marker, data with a stuffed byte and a restart, and a second scan. */
const picture = bytes(
  'ffd8 ffe1 0008 ffd8ffd9 0102 ffff c0 0004 0102 ffda 0003 01 11ff0022ffd033 ffc4 0002 ffda 0003 01 44 ffd9',
);

/** @param pieceBytes how many bytes come at once */
function endOf(file: Uint8Array, pieceBytes: number): number | undefined {
  const end = createJpegEnd();
  for (let at = 0; at < file.length; at += pieceBytes) end.push(file.subarray(at, at + pieceBytes));
  return end.found;
}

test.for([1, 2, 3, 7, 1_000])('the end of a picture is found in pieces of %i bytes', (pieceBytes) => {
  for (const trailer of ['', 'ffd8ffd9', '00000018667479706d703432ffd9']) {
    expect(endOf(Uint8Array.of(...picture, ...bytes(trailer)), pieceBytes), trailer).toBe(picture.length);
  }
});

test('a picture that breaks off has no end, nor has what is no JPEG', () => {
  for (let length = 0; length < picture.length; length += 1) {
    expect(endOf(picture.subarray(0, length), 5), `${length}`).toBeUndefined();
  }
  expect(endOf(bytes('89504e470d0a1a0a ffd9'), 4)).toBeUndefined();
});
