/** HEIC, the format of iPhones: stored upright, in the right colours, whatever belongs to the picture besides it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { meanColourDifference } from '#tests/support/colour-difference.ts';
import { colourPatches } from '#tests/support/colour-patches.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { pixelsOf, store } from '#tests/support/normalised.ts';
import { normalise } from './normalise.ts';
import { weighPhoto } from './weigh-photo.ts';

const folder = join(rootFolder, 'tests/support/heic');
const heic = (name: string) => join(folder, `${name}.heic`);

/** A file with some of its bytes replaced. */
async function altered(name: string, change: (file: Buffer) => Buffer): Promise<string> {
  const path = join(await newFolder(), 'photo');
  await writeFile(path, change(await readFile(heic(name))));
  return path;
}

/** Replaces a text by one of the same length, wherever it is. */
const replaced = (from: string, to: string) => (file: Buffer) =>
  Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');

test.for([
  ['a profile of Display P3', 'colours-p3'],
  ['that profile and ten bits', 'colours-p3-10-bit'],
  ['the numbers for Display P3 of video', 'colours-nclx-p3'],
  ['the numbers for sRGB', 'colours-srgb'],
] as const)('colours with %s are stored right', async ([, name]) => {
  const { target, format } = await store(heic(name));
  expect(format).toBe('jpeg');
  expect(meanColourDifference(await pixelsOf(target), await colourPatches(192, 96))).toBeLessThanOrEqual(2);
});

test('a photo in tiles, taken sideways, with a thumbnail and EXIF, is stored upright and turned once', async () => {
  const path = heic('sideways-tiles');
  expect((await readFile(path)).includes('Exif')).toBe(true);
  const { width, height, target } = await store(path);
  expect([width, height]).toEqual([480, 360]);
  expect((await sharp(target).metadata()).exif).toBeUndefined();
  const upright = await sharp(join(rootFolder, 'scripts/local/photos/mug-1.jpg'))
    .resize(480, 360)
    .raw()
    .toBuffer();
  expect(meanColourDifference(await pixelsOf(target), upright)).toBeLessThan(3);
});

test('EXIF turns a photo only if its file says nothing itself and is no MIAF, as of some apps', async () => {
  const silent = replaced('irot', 'free');
  const app = await store(await altered('sideways-tiles', (file) => silent(replaced('miaf', 'mif1')(file))));
  expect([app.width, app.height]).toEqual([480, 360]);
  const turned = await store(heic('sideways-tiles'));
  expect(meanColourDifference(await pixelsOf(app.target), await pixelsOf(turned.target))).toBeLessThan(1);
  expect(await store(await altered('sideways-tiles', silent))).toMatchObject({ width: 360, height: 480 });
  const broken = (file: Buffer) => silent(replaced('miaf', 'mif1')(replaced('II*\0\b', 'II*\0\xff')(file)));
  expect(await store(await altered('sideways-tiles', broken))).toMatchObject({ width: 360, height: 480 });
});

test('transparency is kept; a depth map in its place is left out', async () => {
  const seen = await store(heic('alpha'));
  expect(seen.format).toBe('png');
  const pixels = await pixelsOf(seen.target);
  expect(pixels[3]).toBeGreaterThan(110);
  expect(pixels[3]).toBeLessThan(140);
  expect(pixels[pixels.length - 1]).toBe(255);
  const depth = await altered('alpha', replaced('hevc:2015:auxid:1', 'hevc:2015:auxid:2'));
  expect((await store(depth)).format).toBe('jpeg');
});

test('a grey photo stays grey; of a sequence its picture is taken', async () => {
  const grey = await pixelsOf((await store(heic('grey'))).target);
  expect(grey.length).toBe(192 * 96 * 3);
  for (let at = 0; at < grey.length; at += 3)
    expect(Math.abs(grey[at]! - grey[at + 2]!)).toBeLessThanOrEqual(1);
  expect(await store(heic('sequence'))).toMatchObject({ width: 240, height: 180 });
});

test.for([
  [
    'of high dynamic range',
    'colours-nclx-p3',
    (file: Buffer) => replaced('nclx\0\x0c\0\x0d', 'nclx\0\x09\0\x10')(file),
  ],
  ['with another codec', 'grey', (file: Buffer) => replaced('hvc1', 'vvc1')(replaced('hvcC', 'vvcC')(file))],
] as const)('one %s is refused with what to do', async ([, name, change]) => {
  expect(await weighPhoto(await altered(name, change))).toEqual({
    refused: 'TYPE_UNSUPPORTED',
    message: expect.stringContaining('export it as JPEG'),
  });
});

test.for([0.05, 0.3, 0.7, 0.88])('one of which %d is there is refused', async (share) => {
  const path = await altered('sideways-tiles', (file) => file.subarray(0, file.length * share));
  expect(await normalise({ path, target: `${path}-stored` })).toMatchObject({ refused: 'IMAGE_CORRUPT' });
});

test('one whose header claims too many pixels, or a strip, is refused before it is decoded', async () => {
  const claiming = (width: number, height: number) =>
    altered('colours-srgb', (file) => {
      const extents = file.indexOf('ispe');
      file.writeUInt32BE(width, extents + 8);
      file.writeUInt32BE(height, extents + 12);
      return file;
    });
  expect(await weighPhoto(await claiming(30_000, 4_000))).toMatchObject({ refused: 'TOO_MANY_PIXELS' });
  expect(await weighPhoto(await claiming(9_000, 9_000))).toMatchObject({
    refused: 'TOO_MANY_PIXELS',
    message: expect.stringContaining('HEIC'),
  });
  expect(await weighPhoto(await claiming(6_000, 200))).toMatchObject({ refused: 'IMAGE_TOO_SMALL' });
});
