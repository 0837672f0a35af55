import { expect, test } from 'vitest';
import { photoFormatOf } from './photo-format.ts';

const head = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.for([
  ['\xff\xd8\xff\xe0', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
  ['II*\0\x08', 'tiff'],
  ['MM\0*\0', 'tiff'],
  ['II+\0\x08', 'tiff'],
  ['\0\0\0\x20ftypavif\0\0\0\0', 'avif'],
  ['\0\0\0\x20ftypmif1\0\0\0\0mif1avifmiaf', 'avif'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'heic'],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'heic'],
  ['\0\0\0\x18ftypmp42\0\0\0\0isommp42', null],
  ['GIF89a', null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['', null],
] as const)('%j is %s', ([start, format]) => {
  expect(photoFormatOf(head(start))).toBe(format);
});
