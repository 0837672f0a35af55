import { describe, expect, test } from 'vitest';
import { sharp } from '#shared/platform/sharp.ts';
import { plainPngOf } from './plain-png.ts';

const picture = (channels: 3 | 4) =>
  sharp({ create: { width: 30, height: 20, channels, background: { r: 0, g: 0, b: 0, alpha: 0 } } });

describe('a PNG', () => {
  test.each<[string, () => Promise<Buffer>, boolean]>([
    ['with an alpha channel', () => picture(4).png().toBuffer(), true],
    ['with grey and alpha', () => picture(4).toColourspace('b-w').png().toBuffer(), true],
    [
      'with a palette that has a transparent colour',
      () => picture(4).png({ palette: true }).toBuffer(),
      true,
    ],
    ['without transparency', () => picture(3).png().toBuffer(), false],
    [
      'interlaced, with 16 bits',
      () => picture(4).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      true,
    ],
  ])('%s', async (_what, make, hasAlpha) => {
    const file = await make();
    const png = plainPngOf(file);
    expect(png).toMatchObject({ width: 30, height: 20, hasAlpha });
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect(await pixels(png!.bytes)).toEqual(await pixels(file));
  });

  test('is kept without its colour profile', async () => {
    const file = await picture(4).withIccProfile('p3').png().toBuffer();
    expect(file.includes('iCCP')).toBe(true);
    expect(plainPngOf(file)!.bytes.includes('iCCP')).toBe(false);
  });
});

test('what is no complete PNG is told from its bytes alone', async () => {
  const file = await picture(4).png().toBuffer();
  for (let length = 0; length < file.length; length += 1)
    expect(plainPngOf(file.subarray(0, length))).toBeNull();
  const moved = Buffer.concat([file.subarray(0, 8), file.subarray(33)]);
  expect(plainPngOf(moved)).toBeNull();
  for (const other of [
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>',
    'GIF89a',
    '\u0089PNG\r\n\u001a\n',
  ]) {
    expect(plainPngOf(Buffer.from(other, 'latin1'))).toBeNull();
  }
});
