/** Exported files and how they obey the rules of marketplaces: each kind of rule once; `export.full.test.ts` has the rest. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { exportFormats } from '#contract';
import { expectExport, expectFilledFrame, exportPicture } from '#tests/support/export-pictures.ts';

test('the Amazon main image is pure white and filled by the product', async () => {
  const { file, facts, rules } = await exportPicture('square', 'amazon-main', { scale: 0.5 });
  await expectExport(file, 'jpeg', 'amazon-main');
  await expectFilledFrame(file);
  expect(facts.enlarged).toBeGreaterThan(1);
  expect(rules).toMatchObject([
    { name: 'Format', outcome: 'fixed' },
    { name: 'Background', outcome: 'fixed' },
    { name: 'Product size', outcome: 'fixed', measured: expect.stringMatching(/^50 %, now (89\.\d|90) %$/) },
    {
      name: 'Longest side',
      outcome: 'fails',
      measured: expect.stringMatching(/enlarged 5\.6 times: more than 2 times/),
    },
  ]);
});

test('a scene fails the rules about the background, and keeps its pixels', async () => {
  const main = await exportPicture('portrait', 'amazon-main', { scale: 0.25 });
  expect(main.rules.map(({ outcome }) => outcome)).toEqual(['fixed', 'fails', 'fails', 'fails']);
  const square = await exportPicture('portrait', 'instagram-square', { scale: 0.25 });
  await expectExport(square.file, 'jpeg', 'instagram-square');
  expect(square.rules[1]).toMatchObject({
    outcome: 'fails',
    measured: expect.stringContaining('cut off'),
  });
});

test('sides, bytes and the mark of AI are measured', async () => {
  const { file, rules } = await exportPicture('transparent', 'google-merchant', { scale: 0.25 });
  await expectExport(file, 'jpeg', 'google-merchant');
  expect(rules).toMatchObject([
    { name: 'Format', outcome: 'fixed' },
    { name: 'Shortest side', outcome: 'fixed', measured: '256 px, now 512 px, enlarged 2.0 times' },
    { name: 'Shortest side', outcome: 'fails', advised: true },
    { name: 'File size', outcome: 'pass' },
    { name: 'Marked as made by AI', outcome: 'fixed' },
  ]);
});

test('a ratio is made by cutting off a scene, and by adding white around a product on white', async () => {
  const scene = await exportPicture('portrait', 'temu', { scale: 0.5 });
  await expectExport(scene.file, 'jpeg', 'temu');
  expect(scene.rules[1]).toMatchObject({
    name: 'Aspect ratio',
    outcome: 'fixed',
    measured: '512 × 768 px, cropped: the edges are cut off',
    needed: '1:1',
  });
  const onWhite = await exportPicture('transparent', 'pinterest', { scale: 0.25 });
  await expectExport(onWhite.file, 'jpeg', 'pinterest');
  expect(onWhite.rules[1]).toMatchObject({
    outcome: 'fixed',
    measured: '384 × 256 px, white added around it',
    needed: '2:3',
  });
});

test('a file of more bytes than allowed is compressed more', async () => {
  const pixels = new Uint8Array(1_340 * 1_787 * 3);
  for (const [index] of pixels.entries()) pixels[index] = (index * 7_919 + (index >> 7) * 104_729) % 251;
  const noise = sharp(pixels, { raw: { width: 1_340, height: 1_787, channels: 3 } });
  const { file, rules } = await exportPicture(await noise.blur(0.7).png().toBuffer(), 'temu-clothing');
  expect(rules[3]).toMatchObject({ name: 'File size', measured: expect.stringContaining(', now ') });
  expect(file.byteLength / 1024 / 1024).toBeLessThan(2);
  expect(rules[3]?.outcome).toBe('fixed');
});

test.for(exportFormats)('the original size as %s', async (format) => {
  const { file, facts, rules } = await exportPicture('transparent', 'original', {
    format,
    scale: 0.25,
  });
  await expectExport(file, format, 'original');
  expect(facts).toMatchObject({ width: 384, height: 256, enlarged: 1 });
  expect(rules).toEqual([]);
});

test('a small product is enlarged too much, and the rule says so', async () => {
  const picture = await readFile('tests/support/sample/small-product-on-pure-white.png');
  const { rules } = await exportPicture(picture, 'amazon-main');
  expect(rules).toMatchObject([
    { name: 'Format' },
    { name: 'Background', outcome: 'pass' },
    {
      name: 'Product size',
      outcome: 'fixed',
      measured: expect.stringMatching(/^15\.\d %, now (89\.\d|90) %$/),
    },
    {
      name: 'Longest side',
      outcome: 'fails',
      measured: expect.stringMatching(/enlarged 9\.\d times: more than 2/),
    },
  ]);
});

test('a composite is not marked as made by AI', async () => {
  const made = await exportPicture('square', 'google-merchant', { scale: 0.25, sourceType: 'composite' });
  const { xmpAsString } = await sharp(made.file).metadata();
  expect(xmpAsString).toContain('>http://cv.iptc.org/newscodes/digitalsourcetype/composite<');
  expect(made.rules.at(-1)).toMatchObject({
    outcome: 'fixed',
    measured: expect.stringContaining('composite'),
  });
});
