/** The colours of a photo are stored as they are meant, whatever numbers its file has for them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { meanColourDifference } from '#tests/support/colour-difference.ts';
import { adobeRgb, iccProfile, proPhotoRgb } from '#tests/support/colour-profile.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { pixelsOf, store } from '#tests/support/normalised.ts';

/** Saturated and muted colours, and greys: all of sRGB, so that each of the spaces below has them. */
const colours = Buffer.from(
  'ff000000ff000000ff00ffffff00ffffff00' +
    'c81e2814783c283ca0e678145a14780a828c' +
    'bc9c8c788264606c80ffffff808080282828',
  'hex',
);
const patch = 16;
const size = { width: 6 * patch, height: 3 * patch };

/** @returns the patches as sRGB, with three channels */
function patches(): Buffer {
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const at = (Math.floor(y / patch) * 6 + Math.floor(x / patch)) * 3;
      pixels.set(colours.subarray(at, at + 3), (y * size.width + x) * 3);
    }
  }
  return pixels;
}

const image = () => sharp(patches(), { raw: { ...size, channels: 3 } });

const profiles = { srgb: 'srgb', p3: 'p3', 'Adobe RGB': adobeRgb, 'ProPhoto RGB': proPhotoRgb } as const;
const formats = {
  png: (photo: Sharp) => photo.png(),
  tiff: (photo: Sharp) => photo.tiff({ compression: 'lzw' }),
  webp: (photo: Sharp) => photo.webp({ lossless: true }),
  avif: (photo: Sharp) => photo.avif({ lossless: true }),
  jpeg: (photo: Sharp) => photo.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }),
} as const;
const cases = Object.keys(profiles).flatMap((profile) => [
  ...Object.keys(formats).map((format) => [profile, 8, format] as const),
  ...['png', 'tiff'].map((format) => [profile, 16, format] as const),
]) as [keyof typeof profiles, 8 | 16, keyof typeof formats][];

test.for(cases)('%s with %i bits in %s', async ([profile, bits, format]) => {
  const folder = await newFolder();
  const space = profiles[profile];
  const named = typeof space === 'string' ? space : join(folder, 'space.icc');
  if (typeof space !== 'string') await writeFile(named, iccProfile(space));
  const path = join(folder, 'photo');
  const photo = image().withIccProfile(named);
  await formats[format](bits === 16 ? photo.toColourspace('rgb16') : photo).toFile(path);
  const { depth, icc } = await sharp(path).metadata();
  expect([depth, icc === undefined]).toEqual([bits === 16 ? 'ushort' : 'uchar', false]);

  const { target } = await store(path);
  expect(meanColourDifference(await pixelsOf(target), patches())).toBeLessThanOrEqual(2);
});
