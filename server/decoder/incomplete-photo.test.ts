/** A photo whose file lacks a little of its end is taken with a warning, one that lacks much is refused. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { normalise } from './normalise.ts';
import { pixelFile } from './pixel-file.ts';

const mug = () => sharp(join(rootFolder, 'scripts/local/photos/mug-1.jpg'));
const encoded = (encode: (photo: Sharp) => Sharp) => encode(mug()).toBuffer();

/** Normalises a file. @returns its warnings, or why it is refused */
async function outcomeOf(file: Buffer): Promise<readonly string[] | string> {
  const path = join(await newFolder(), 'photo');
  await writeFile(path, file);
  const outcome = await normalise({ path, target: `${path}-stored` });
  if ('result' in outcome) return outcome.result.warnings;
  return 'refused' in outcome ? outcome.refused : outcome.failed;
}

const files = {
  'a JPEG': () => encoded((photo) => photo.jpeg({ quality: 92 })),
  'a JPEG that was taken sideways': () =>
    encoded((photo) =>
      photo.withMetadata({ orientation: 6 }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
    ),
  'a PNG': () => encoded((photo) => photo.png({ compressionLevel: 1 })),
  'a TIFF whose list of fields is at its beginning': async () => {
    const { data, info } = await mug().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return pixelFile({ width, height, channels: 3, bits: 8, isPremultiplied: false, profile: null }, data);
  },
} as const;
const cases = Object.entries(files);

test.for(cases)('%s that lacks its last bytes is taken with a warning', async ([name, file]) => {
  const whole = await file();
  // A TIFF is read in strips of 64 rows here: less than the last one.
  const share = name.includes('TIFF') ? 0.004 : 0.02;
  expect(await outcomeOf(whole)).toEqual([]);
  for (const missing of [20, 400, Math.floor(whole.length * share)]) {
    expect(await outcomeOf(whole.subarray(0, whole.length - missing)), `${missing}`).toEqual(['incomplete']);
  }
});

test.for(cases)('%s that lacks a tenth, or half, is refused', async ([, file]) => {
  const whole = await file();
  for (const share of [0.9, 0.5, 0.2]) {
    expect(await outcomeOf(whole.subarray(0, whole.length * share)), `${share}`).toBe('IMAGE_CORRUPT');
  }
});

test('a small JPEG may lack its last row of blocks', async () => {
  const small = await mug().resize(128, 96).jpeg().toBuffer();
  expect(await outcomeOf(small.subarray(0, -30))).toEqual(['incomplete', 'small']);
  expect(await outcomeOf(small.subarray(0, small.length / 2))).toBe('IMAGE_CORRUPT');
});

test('a progressive JPEG may lack the last bit of its numbers, but no more', async () => {
  const whole = await encoded((photo) => photo.jpeg({ quality: 92, progressive: true }));
  expect(await outcomeOf(whole)).toEqual([]);
  const lastScan = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
  for (const end of [whole.length - 2, whole.length - 400]) {
    expect(await outcomeOf(whole.subarray(0, end)), `${end}`).toEqual(['incomplete']);
  }
  for (const end of [lastScan + 200, lastScan - 200, whole.length / 2]) {
    expect(await outcomeOf(whole.subarray(0, end)), `${end}`).toBe('IMAGE_CORRUPT');
  }
});

test.for([
  ['WebP', (photo: Sharp) => photo.webp()],
  ['AVIF', (photo: Sharp) => photo.resize(300).avif({ effort: 0 })],
  ['interlaced PNG', (photo: Sharp) => photo.resize(300).png({ progressive: true })],
  ['TIFF whose list of fields is at its end', (photo: Sharp) => photo.tiff({ compression: 'lzw' })],
] as const)('of %s nothing is known without the rest', async ([, encode]) => {
  const whole = await encoded(encode);
  expect(await outcomeOf(whole.subarray(0, -200))).toBe('IMAGE_CORRUPT');
});

test('one of which a part in the middle is damaged is not merely incomplete', async () => {
  const whole = await encoded((photo) => photo.png({ compressionLevel: 1 }));
  const at = Math.floor(whole.length / 2);
  whole.fill(0x55, at, at + 1_000);
  expect(await outcomeOf(whole)).toBe('IMAGE_CORRUPT');
});
