/** Exported files and how they obey the rules of marketplaces: each kind of rule once; `export.full.test.ts` has the rest. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { exportFormats, exportPreset, exportPresetIds } from '#contract';
import { expectExport, expectFilledFrame, exportPicture } from '#tests/support/export-pictures.ts';
import { towel } from '#tests/support/whitened-pictures.ts';

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

test('the marks of a rule are where its file shows what it is about', async () => {
  const { file, facts, rules } = await exportPicture('square', 'amazon-main', { scale: 0.5 });
  // What is drawn: the product alone, to the blocks of a JPEG.
  const { info } = await sharp(file)
    .trim({ background: '#fff', threshold: 40 })
    .toBuffer({ resolveWithObject: true });
  const drawn = { left: -info.trimOffsetLeft!, top: -info.trimOffsetTop!, ...info };
  const [wanted, product] = rules[2]!.marks;
  expect(product).toMatchObject({
    kind: 'measured',
    label: expect.stringMatching(/^Product: (89\.\d|90) %$/),
  });
  for (const side of ['left', 'top', 'width', 'height'] as const)
    expect(Math.abs(product![side] - drawn[side]), side).toBeLessThanOrEqual(24);
  // 85 % of the longer side, with the product in its middle.
  expect(wanted).toMatchObject({
    kind: 'wanted',
    label: 'At least 85 % of the frame',
    top: 0,
    height: 1_600,
  });
  expect(wanted!.width).toBe(0.85 * 1_600);
  expect(wanted!.left + wanted!.width / 2).toBeCloseTo(product!.left + product!.width / 2, -1);
  expect(rules[3]).toMatchObject({
    advice: expect.stringContaining('2048'),
    marks: [{ kind: 'failing', label: '1,600 px, enlarged 5.6 times', left: 0, top: 0, width: facts.width }],
  });
  // What is obeyed needs no advice, and nothing in it is marked as wrong.
  expect(rules[1]).toMatchObject({ outcome: 'fixed', advice: null, marks: [] });
});

/** A bottle 88 % high in the left third of a square, with a shadow that falls to the right. */
const bottle = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800">
      <filter id="soft" x="-50%" y="-200%" width="200%" height="500%"><feGaussianBlur stdDeviation="12"/></filter>
      <rect width="800" height="800" fill="#fff"/>
      <ellipse cx="340" cy="745" rx="190" ry="14" opacity="0.3" filter="url(#soft)"/>
      <path d="M165 46h70v150q45 30 45 90v464h-160v-464q0-60 45-90z" fill="#175c3a"/>
      <rect x="120" y="400" width="160" height="180" fill="#d9c39a"/></svg>`),
  )
    .removeAlpha()
    .png()
    .toBuffer();

/** Where the bottle and its shadow are in a file: the first and last column, and of the bottle the rows. */
async function standing(file: Buffer) {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const bottles: [x: number, y: number][] = [];
  let shadowEnd = 0;
  for (let y = 0; y < info.height; y += 1)
    for (let x = 0; x < info.width; x += 1) {
      const [red, green, blue] = data.subarray((y * info.width + x) * info.channels) as unknown as number[];
      if (Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!) > 40) bottles.push([x, y]);
      else if (red! < 245) shadowEnd = Math.max(shadowEnd, x);
    }
  const side = (axis: 0 | 1) => {
    const places = bottles.map((place) => place[axis]);
    const first = places.reduce((least, place) => Math.min(least, place));
    return { first, last: places.reduce((most, place) => Math.max(most, place)) };
  };
  return { across: side(0), down: side(1), shadowEnd, width: info.width, height: info.height };
}

test.for(
  exportPresetIds.filter((id) => exportPreset(id).rules.some(({ kind }) => kind === 'white-background')),
)('%s: a product at one side is moved to the middle, with all of its shadow', async (preset) => {
  const picture = await bottle();
  const before = await standing(picture);
  expect(before.across.last).toBeLessThan(before.width * 0.4);
  const { file, facts } = await exportPicture(picture, preset);
  await expectExport(file, 'jpeg', preset);
  const { across, down, shadowEnd, width, height } = await standing(file);
  const most = 0.01 * Math.max(width, height);
  expect(Math.abs(across.first - (width - 1 - across.last))).toBeLessThanOrEqual(most);
  expect(Math.abs(down.first - (height - 1 - down.last))).toBeLessThanOrEqual(most);
  const scale = (down.last - down.first) / (before.down.last - before.down.first);
  const reach = (place: Pick<typeof before, 'across' | 'shadowEnd'>) => place.shadowEnd - place.across.last;
  expect(Math.abs(reach({ across, shadowEnd }) - scale * reach(before))).toBeLessThanOrEqual(4 * most);
  if (preset === 'amazon-main') expect(facts.productShare!.after).toBeGreaterThanOrEqual(0.85);
});

test('a place where the border is not white is marked, and no other', async () => {
  const stain = (left: number, top: number, width: number, height: number) => ({
    input: { create: { width, height, channels: 3 as const, background: '#7a4d00' } },
    left,
    top,
  });
  const picture = await sharp({ create: { width: 800, height: 800, channels: 3, background: '#ffffff' } })
    .composite([stain(0, 600, 200, 80), stain(300, 300, 200, 200)])
    .png()
    .toBuffer();
  const { rules } = await exportPicture(picture, 'amazon-main');
  expect(rules[1]).toMatchObject({
    outcome: 'fails',
    advice: expect.stringContaining('more space around the product'),
    marks: [{ kind: 'failing', label: 'Not white here', left: 0, top: 1_200, width: 48, height: 160 }],
  });
});

test('a product that can hardly be told from white is marked, with what can be done', async () => {
  const { rules } = await exportPicture(await towel(3, 4), 'amazon-main');
  expect(rules[1]).toMatchObject({ outcome: 'fails', advice: expect.stringContaining('soft shadow') });
  const [mark, ...others] = rules[1]!.marks;
  expect(others).toEqual([]);
  // The towel: 145 to 495 and 157 to 482 of 640 pixels.
  const drawn = { left: 145, top: 157, width: 350, height: 325 };
  for (const side of ['left', 'top', 'width', 'height'] as const)
    expect(Math.abs(mark![side] - drawn[side] * 2.5), side).toBeLessThanOrEqual(20);
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
