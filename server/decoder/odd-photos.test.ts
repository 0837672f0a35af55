/** Photos whose file says more than their pixels: which picture of it counts, and what its numbers mean. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withGamma } from '#tests/support/large-photos.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { pixelsOf, store } from '#tests/support/normalised.ts';
import { flatImage } from '#tests/support/photos.ts';
import { type TiffPicture, tiffFile } from '#tests/support/tiff-file.ts';
import { normalise } from './normalise.ts';
import { weighPhoto } from './weigh-photo.ts';

async function saved(file: Buffer): Promise<string> {
  const path = join(await newFolder(), 'photo');
  await writeFile(path, file);
  return path;
}

async function brownPng(bits: 8 | 16): Promise<Buffer> {
  const brown = flatImage(80, 80, '#804014');
  return (bits === 16 ? brown.toColourspace('rgb16') : brown).png().toBuffer();
}

// 128, 64 and 20 of 255 as light, in sRGB: by the formulas of IEC 61966-2-1.
test.for([
  ['light itself', 100_000, [188, 137, 79]],
  ['that of old Macintosh computers', 55_556, [146, 81, 26]],
  ['that of sRGB', 45_455, [128, 64, 20]],
] as const)('a PNG whose exponent is %s is as light as it is meant', async ([, gamma, colour]) => {
  for (const bits of [8, 16] as const) {
    const { target } = await store(await saved(withGamma(await brownPng(bits), gamma)));
    const pixels = await pixelsOf(target);
    for (const channel of [0, 1, 2]) {
      expect(Math.abs(pixels[channel]! - colour[channel]!), `${bits} bits`).toBeLessThanOrEqual(1);
    }
  }
});

const red: TiffPicture = { width: 100, height: 80, colour: [200, 30, 40], photometric: 2 };

test('of a TIFF with several pages the largest counts', async () => {
  const thumbnail = { ...red, width: 70, height: 64, colour: [0, 0, 255] };
  const path = await saved(tiffFile([thumbnail, red, thumbnail]));
  expect(await store(path)).toMatchObject({ width: 100, height: 80 });
});

test('an ink of its own is not transparency', async () => {
  const path = await saved(tiffFile([{ ...red, colour: [0, 200, 180, 20, 128], photometric: 5 }]));
  const { format, target } = await store(path);
  expect([format, (await sharp(target).metadata()).channels]).toEqual(['jpeg', 3]);
});

test('a saved selection hides nothing and is warned about; transparency that is called so is kept', async () => {
  const selected = { ...red, colour: [200, 30, 40, 0] };
  const path = await saved(tiffFile([{ ...selected, extra: [0] }]));
  const { format, target, warnings } = await store(path);
  expect(format).toBe('jpeg');
  expect(warnings).toContain('extra-channel');
  expect((await pixelsOf(target))[0]).toBeGreaterThan(190);
  const half = { ...red, colour: [200, 30, 40, 128], extra: [2] };
  const kept = await store(await saved(tiffFile([half])));
  expect(kept.format).toBe('png');
  expect(kept.warnings).not.toContain('extra-channel');
});

test.for([
  ['of 32 bits with a point', { bits: 32, sampleFormat: 3, colour: Array<number>(12).fill(63) }],
  ['of 16 bits with a point', { bits: 16, sampleFormat: 3, colour: Array<number>(6).fill(60) }],
  ['of 32 bits', { bits: 32, colour: Array<number>(12).fill(63) }],
] as const)('a TIFF with numbers %s is refused in words', async ([, numbers]) => {
  expect(await weighPhoto(await saved(tiffFile([{ ...red, ...numbers }])))).toMatchObject({
    refused: 'TYPE_UNSUPPORTED',
    message: expect.stringContaining('16 bits'),
  });
});

test.for([
  ['a DNG', () => tiffFile([{ ...red, children: [{ ...red, colour: [9], photometric: 32_803 }] }])],
  ['one of linear numbers', () => tiffFile([{ ...red, children: [{ ...red, photometric: 34_892 }] }])],
  ['a CR2', () => Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1')],
  ['a CR3', () => Buffer.from('\0\0\0\x18ftypcrx \0\0\0\x01', 'latin1')],
  ['a RAF', () => Buffer.from('FUJIFILMCCD-RAW 0201', 'latin1')],
] as const)('%s is refused as RAW, although a picture may be in it', async ([, file]) => {
  expect(await weighPhoto(await saved(file()))).toMatchObject({
    refused: 'TYPE_UNSUPPORTED',
    message: expect.stringContaining('RAW'),
  });
});

test('a TIFF that leads in a circle, or nowhere, is read to an end', async () => {
  const circle = tiffFile([red]);
  const directory = circle.readUInt32LE(4);
  circle.writeUInt32LE(directory, circle.length - 4);
  expect(await weighPhoto(await saved(circle))).toHaveProperty('result');
  const nowhere = tiffFile([red]);
  nowhere.writeUInt32LE(0xffff_fff0, nowhere.length - 4);
  expect(await weighPhoto(await saved(nowhere))).toHaveProperty('result');
});

test('a fully transparent photo is refused, whatever colours are behind it', async () => {
  const hidden = await flatImage(80, 80).ensureAlpha(0).png().toBuffer();
  const path = await saved(hidden);
  expect(await normalise({ path, target: `${path}-stored` })).toMatchObject({
    refused: 'IMAGE_CORRUPT',
    message: expect.stringContaining('transparent'),
  });
});
