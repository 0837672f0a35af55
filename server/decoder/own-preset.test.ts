/** Files of sellers' own presets, read with sharp: size, colours at the corners, and how much the product takes. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type CreateOwnPreset, createOwnPresetSchema, limits, ownPresetRules } from '#contract';
import {
  expectMetadata,
  exportByRules,
  exportPicture,
  type PictureName,
} from '#tests/support/export-pictures.ts';

const usual: CreateOwnPreset = { name: 'Shop', width: 800, height: 600, format: 'png' };

/** Exports a picture by an own preset. @returns the file, how it obeys the rules by their names, and its pixels */
async function make(picture: PictureName | Buffer, changes: Partial<CreateOwnPreset> = {}, scale = 0.5) {
  const preset = createOwnPresetSchema.parse({ ...usual, ...changes });
  const { format, quality } = preset;
  const { file, facts, rules } = await exportByRules(picture, ownPresetRules(preset), {
    format,
    quality,
    scale,
  });
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const metadata = await sharp(file).metadata();
  expect(metadata).toMatchObject({ format, width: preset.width, height: preset.height });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
  ];
  const [right, bottom] = [info.width - 1, info.height - 1];
  const corners = [at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)];
  const outcomes = Object.fromEntries(rules.map(({ name, outcome }) => [name, outcome]));
  return { file, facts, rules, outcomes, corners, metadata, data, info };
}

/** How much of the frame is taken by what differs from one colour, in each direction. */
async function taken(file: Buffer, background: string): Promise<[wide: number, high: number]> {
  const { width, height } = await sharp(file).metadata();
  const { info } = await sharp(file)
    .flatten({ background })
    .trim({ background, threshold: 40 })
    .toBuffer({ resolveWithObject: true });
  return [info.width / width, info.height / height];
}

const white = [255, 255, 255, 255];
const clear = [0, 0, 0, 0];
const isWhitish = (pixel: number[]) => pixel.every((value) => value >= 254);

test.each([
  ['square', 'jpeg', 1_200, 1_200, 90],
  ['square', 'webp', 500, 1_500, 80],
  ['transparent', 'png', 1_600, 300, 85],
  ['transparent', 'jpeg', 300, 900, 100],
] as const)(
  '%s as %s on pure white in %i × %i px is filled to %i %%',
  async (picture, format, width, height, share) => {
    const { file, corners, outcomes } = await make(picture, {
      format,
      width,
      height,
      background: 'white',
      productShare: share,
    });
    expect(corners.every(isWhitish)).toBe(true);
    expect(Math.max(...(await taken(file, '#ffffff')))).toBeCloseTo(share / 100, 1);
    expect(outcomes).toMatchObject({ Background: 'fixed', 'Product size': 'fixed' });
    await expectMetadata([file]);
  },
);

test('a product that is too large for its share is made smaller, and is told apart from a frame that has it', async () => {
  const { productShare } = (await make('square', { width: 900, height: 900, productShare: 40 })).facts;
  expect(productShare!.before).toBeGreaterThan(0.45);
  expect(productShare!.after).toBeCloseTo(0.4, 2);
  const again = await make((await make('square', { width: 900, height: 900, productShare: 40 })).file, {
    width: 900,
    height: 900,
    productShare: 40,
  });
  expect(again.outcomes['Product size']).toBe('pass');
});

test.each(['square', 'transparent'] as const)(
  'the background of a %s image becomes another colour',
  async (picture) => {
    const { corners, outcomes, file, data } = await make(picture, {
      background: '#20406a',
      productShare: 70,
    });
    for (const corner of corners) expect(corner).toEqual([0x20, 0x40, 0x6a, 255]);
    expect(outcomes).toMatchObject({ Background: 'fixed', 'Product size': 'fixed' });
    expect((await taken(file, '#20406a')).some((share) => Math.abs(share - 0.7) < 0.02)).toBe(true);
    // Nothing is left of the white: no pixel is nearly white, for the sample's photo has none.
    const before = await exportPicture(picture, 'original', { scale: 0.5 });
    const flat = await sharp(before.file).flatten({ background: '#20406a' }).raw().toBuffer();
    const isLight = (pixels: Uint8Array, step: number) => {
      let light = 0;
      for (let at = 0; at < pixels.length; at += step)
        if (pixels[at]! > 244 && pixels[at + 1]! > 244 && pixels[at + 2]! > 244) light += 1;
      return light / (pixels.length / step);
    };
    expect(isLight(data, 4)).toBeLessThan(picture === 'square' ? 0.02 : isLight(flat, 3) + 0.02);
    const jpeg = await make(picture, { background: '#20406a', format: 'jpeg' });
    for (const corner of jpeg.corners)
      for (const [channel, value] of [0x20, 0x40, 0x6a].entries())
        expect(Math.abs(corner[channel]! - value)).toBeLessThanOrEqual(3);
  },
);

test('a transparent file of an image on white has its product, and is the same on white again', async () => {
  const { corners, metadata, outcomes, file } = await make('square', {
    width: 512,
    height: 512,
    background: 'transparent',
  });
  expect(metadata.hasAlpha).toBe(true);
  for (const corner of corners) expect(corner[3]).toBe(0);
  expect(outcomes).toMatchObject({ Background: 'fixed', Size: 'pass' });
  const onWhite = await make('square', { width: 512, height: 512, background: 'white' });
  const [back, expected] = await Promise.all([
    sharp(file).flatten({ background: '#ffffff' }).raw().toBuffer(),
    sharp(onWhite.file).removeAlpha().raw().toBuffer(),
  ]);
  let most = 0;
  for (const [index, value] of back.entries()) most = Math.max(most, Math.abs(value - expected[index]!));
  expect(most).toBeLessThanOrEqual(2);
});

test('a transparent image stays transparent, and gets more of it around', async () => {
  for (const background of ['transparent', 'keep']) {
    const { corners, metadata, rules } = await make('transparent', {
      width: 600,
      height: 900,
      format: 'webp',
      background,
    });
    expect(metadata.hasAlpha).toBe(true);
    for (const corner of corners) expect(corner[3]).toBe(clear[3]);
    const found = rules.find(({ name }) => name === 'Background');
    if (background === 'transparent')
      expect(found).toMatchObject({ outcome: 'pass', measured: 'already transparent' });
  }
  // Behind a JPEG that keeps its background is white.
  const { corners } = await make('transparent', {
    width: 600,
    height: 900,
    format: 'jpeg',
    background: 'keep',
  });
  expect(corners.every(isWhitish)).toBe(true);
});

test('a scene keeps its background, and the rules say so', async () => {
  for (const background of ['white', '#20406a', 'transparent']) {
    const { outcomes, facts, corners } = await make('portrait', { background, productShare: 80 }, 0.25);
    expect(outcomes).toMatchObject({ Background: 'fails', 'Product size': 'fails' });
    expect(facts).toMatchObject({ isCropped: true, isPadded: false });
    for (const corner of corners) expect(corner[3]).toBe(255);
  }
  const { outcomes } = await make('portrait', { background: 'keep' }, 0.25);
  expect(Object.keys(outcomes)).toEqual(['Format', 'Size']);
});

test('a product that nobody can tell from its white is not cut out', async () => {
  const part = (size: number, background: string, left: number) => ({
    input: { create: { width: size, height: size, channels: 3 as const, background } },
    left,
    top: 100,
  });
  const faint = sharp({ create: { width: 600, height: 400, channels: 3, background: '#ffffff' } })
    .composite([part(200, '#fefefe', 300), part(60, '#803020', 60)])
    .png();
  const { outcomes, corners } = await make(await faint.toBuffer(), {
    background: '#20406a',
    productShare: 80,
  });
  expect(outcomes).toMatchObject({ Background: 'fails', 'Product size': 'fails' });
  expect(corners).toEqual([white, white, white, white]);
});

/** Pictures whose product has sharp edges on pure white. */
const onWhite = ([left, top, width, height]: readonly [number, number, number, number]) =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#ffffff' } })
    .composite([{ input: { create: { width, height, channels: 3, background: '#803020' } }, left, top }])
    .png()
    .toBuffer();

test.each([
  // The frame is many times as wide as the image, and the product is to reach its height.
  ['a frame beyond the image', { width: 2_000, height: 200 }, [200, 100, 150, 200], 40],
  // It shows a part of the image.
  ['a frame inside the image', { width: 300, height: 900 }, [250, 150, 60, 40], 90],
  ['a frame that is partly beyond', { width: 800, height: 600 }, [20, 20, 300, 100], 50],
] as const)(
  '%s: the marks of the share are where the file shows the product',
  async (_, size, place, share) => {
    for (const background of ['white', '#20406a', 'transparent']) {
      const { file, rules, info } = await make(await onWhite(place), {
        ...size,
        background,
        productShare: share,
      });
      const behind = background === 'transparent' ? '#ffffff' : background;
      // In two steps: sharp trims before it flattens.
      const flat = await sharp(file).flatten({ background: behind }).png().toBuffer();
      const { info: drawn } = await sharp(flat)
        .trim({ background: behind, threshold: 40 })
        .toBuffer({ resolveWithObject: true });
      const { needed, marks } = rules.find(({ name }) => name === 'Product size')!;
      expect(needed).toBe(`${share} % of the frame`);
      const [wanted, product] = marks;
      expect(product).toMatchObject({ kind: 'measured', label: expect.stringMatching(/^Product: \d/) });
      const seen = { left: -drawn.trimOffsetLeft!, top: -drawn.trimOffsetTop!, ...drawn };
      // The model sees an edge to a few pixels of the image.
      const most = (6 * Math.max(drawn.width / place[2], drawn.height / place[3])) | 0;
      for (const side of ['left', 'top', 'width', 'height'] as const)
        expect(Math.abs(product![side] - seen[side]), `${background} ${side}`).toBeLessThanOrEqual(2 + most);
      // Along the side of which it takes more.
      const isAcross = seen.width / info.width > seen.height / info.height;
      expect(wanted).toMatchObject({
        kind: 'wanted',
        label: `${share} % of the frame`,
        ...(isAcross
          ? { top: 0, height: info.height, width: Math.round((share / 100) * info.width) }
          : { left: 0, width: info.width, height: Math.round((share / 100) * info.height) }),
      });
    }
  },
);

test('where no other background can be, the file is marked, with what can be done', async () => {
  const { rules, info } = await make('portrait', { background: '#20406a', productShare: 80 }, 0.25);
  const { needed, advice, marks } = rules.find(({ name }) => name === 'Background')!;
  expect([needed, advice]).toEqual(['#20406a', expect.stringContaining('choose a format that takes any')]);
  expect(marks.length).toBeGreaterThan(0);
  for (const { kind, left, top, width, height } of marks) {
    expect(kind).toBe('failing');
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect([left + width <= info.width, top + height <= info.height]).toEqual([true, true]);
    expect(left === 0 || top === 0 || left + width === info.width || top + height === info.height).toBe(true);
  }
});

test('white is pure in a JPEG of the least quality', async () => {
  const { corners } = await make('square', { format: 'jpeg', quality: limits.ownPresetQualityLeast });
  expect(corners).toEqual([white, white, white, white]);
});

test('less quality makes a smaller JPEG and WebP', async () => {
  for (const format of ['jpeg', 'webp'] as const) {
    const sizes = [];
    for (const quality of [50, 75, 95])
      sizes.push((await make('portrait', { format, quality, background: 'keep' }, 0.25)).file.byteLength);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes[2]! / sizes[0]!).toBeGreaterThan(2);
  }
});

test.each([
  [1, 1],
  [1, 10],
  [5_000, 500],
  [500, 5_000],
])('the smallest, the longest and the largest sizes are made: %i × %i px', async (width, height) => {
  const strip = await sharp('tests/support/sample/coffee-cup.png')
    .resize(600, 12, { fit: 'fill' })
    .png()
    .toBuffer();
  const small = await readFile('tests/support/sample/small-product-on-pure-white.png');
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (const picture of [strip, small]) await make(picture, { width, height, format, productShare: 10 });
  }
});
