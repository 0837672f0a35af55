/** The colours of a photo are stored as they are meant, whatever numbers its file has for them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { meanColourDifference } from '#tests/support/colour-difference.ts';
import { colourPatches } from '#tests/support/colour-patches.ts';
import { adobeRgb, iccProfile, proPhotoRgb } from '#tests/support/colour-profile.ts';
import { pngChunk } from '#tests/support/large-photos.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { pixelsOf, store } from '#tests/support/normalised.ts';
import { weighPhoto } from './weigh-photo.ts';

const size = { width: 96, height: 48 };
const patches = await colourPatches(size.width, size.height);
const image = () => sharp(patches, { raw: { ...size, channels: 3 } });

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
  expect(meanColourDifference(await pixelsOf(target), patches)).toBeLessThanOrEqual(2);
});

/** What says which colours a file has as for video, in a file without an ICC profile. */
const withVideoColours = {
  async AVIF(photo: Sharp, primaries: number, transfer: number) {
    const avif = await photo.avif({ lossless: true }).toBuffer();
    const at = avif.indexOf('nclx') + 4;
    avif.writeUInt16BE(primaries, at);
    avif.writeUInt16BE(transfer, at + 2);
    return avif;
  },
  async PNG(photo: Sharp, primaries: number, transfer: number) {
    const png = await photo.png().toBuffer();
    const chunk = pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));
    const headerEnd = 33;
    return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
  },
} as const;

test.for(Object.entries(withVideoColours))('colours by the numbers of video in %s', async ([, encode]) => {
  const path = join(await newFolder(), 'photo');
  const p3 = await image().withIccProfile('p3').png().toBuffer();
  const numbers = await sharp(p3).keepIccProfile().raw().toBuffer({ resolveWithObject: true });
  const photo = () => sharp(numbers.data, { raw: { ...size, channels: 3 } });
  await writeFile(path, await encode(photo(), 12, 13));
  const { target } = await store(path);
  expect(meanColourDifference(await pixelsOf(target), patches)).toBeLessThanOrEqual(2);
  // High dynamic range.
  await writeFile(path, await encode(photo(), 9, 16));
  expect(await weighPhoto(path)).toMatchObject({ refused: 'TYPE_UNSUPPORTED' });
});

/**
 * The patches in CMYK as sharp's profile of ink writes them, converted back to sRGB: by LittleCMS itself (Pillow 12,
 * ImageCms.profileToProfile with the perceptual intent).
 */
const inked = Buffer.from(
  'df1f1cbaba00213f7ab2d7e9d8357ffae200' +
    'c419220c6b311f3c77e37a0b561f6a09747b' +
    'b69d8a7c7e545c677affffff6e6e6d2a291f',
  'hex',
);
const inks = () => image().toColourspace('cmyk').withIccProfile('cmyk');
/** The same numbers in a file that does not say of which inks they are. */
const withoutProfile = {
  // The field of the profile gets a number that nobody knows.
  tiff: (file: Buffer) => file.fill(Buffer.from([0xe8, 0xfd]), ...fieldOf(file)),
  jpeg: (file: Buffer) =>
    Buffer.from(file.toString('latin1').replaceAll('ICC_PROFILE', 'ANY_PROFILE'), 'latin1'),
} as const;
const fieldOf = (file: Buffer): [number, number] => {
  const at = file.indexOf(Buffer.from([0x73, 0x87, 7, 0]));
  return [at, at + 2];
};

test.for(['tiff', 'jpeg'] as const)('CMYK in a %s with its profile, and without', async (format) => {
  const path = join(await newFolder(), 'photo');
  const photo = format === 'tiff' ? inks().tiff({ compression: 'lzw' }) : inks().jpeg({ quality: 100 });
  const file = await photo.toBuffer();
  const wanted = await colourPatches(size.width, size.height, inked);
  for (const [bytes, hasProfile] of [
    [Buffer.from(file), true],
    [withoutProfile[format](Buffer.from(file)), false],
  ] as const) {
    await writeFile(path, bytes);
    expect((await sharp(path).metadata()).icc !== undefined).toBe(hasProfile);
    const { target } = await store(path);
    expect(meanColourDifference(await pixelsOf(target), wanted)).toBeLessThanOrEqual(2);
  }
});

const greys = Buffer.from(Array.from({ length: 18 }, (_, step) => Array(3).fill(step * 15)).flat());
test.for([
  ['PNG of 8 bits', 'b-w', (photo: Sharp) => photo.png()],
  ['PNG of 16 bits', 'grey16', (photo: Sharp) => photo.png()],
  ['TIFF of 8 bits', 'b-w', (photo: Sharp) => photo.tiff({ compression: 'lzw' })],
  ['TIFF of 16 bits', 'grey16', (photo: Sharp) => photo.tiff({ compression: 'lzw' })],
  ['JPEG', 'b-w', (photo: Sharp) => photo.jpeg({ quality: 100 })],
] as const)('grey in a %s', async ([, space, encode]) => {
  const wanted = await colourPatches(size.width, size.height, greys);
  const path = join(await newFolder(), 'photo');
  await encode(sharp(wanted, { raw: { ...size, channels: 3 } }).toColourspace(space)).toFile(path);
  const { target } = await store(path);
  expect(meanColourDifference(await pixelsOf(target), wanted)).toBeLessThanOrEqual(2);
});
