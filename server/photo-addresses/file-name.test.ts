import { expect, test } from 'vitest';
import { limits } from '#contract';
import { fileNameOf } from './file-name.ts';

test.for([
  ['https://a.example/mug-1.jpg', 'mug-1.jpg'],
  ['https://a.example/x/MUG.JPEG?width=2#a', 'MUG.JPEG'],
  // The name is what a table says, whatever the content is.
  ['https://a.example/mug.png', 'mug.png'],
  ['https://a.example/gr%C3%B6%C3%9Fe%202.heic', 'größe 2.heic'],
  ['https://a.example/日本.webp/', '日本.webp'],
  ['https://a.example/image.php?id=3', 'image.php.jpg'],
  ['https://a.example/w_500/v1/mug', 'mug.jpg'],
  ['https://a.example/', 'photo.jpg'],
  ['https://a.example/.jpg', 'jpg.jpg'],
  ['https://a.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'etcpasswd.jpg'],
  ['https://a.example/a%0D%0Ab%00%22c%E2%80%AEd.png', 'abcd.png'],
  ['https://a.example/%ff%fe', '%ff%fe.jpg'],
  [`https://a.example/${'é'.repeat(300)}.png`, `${'é'.repeat(limits.fileNameCharacters - 4)}.jpg`],
])('%s is the file %s', ([address, name]) => {
  expect(fileNameOf(address!, 'image/jpeg')).toBe(name);
});
