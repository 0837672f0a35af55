/** Changes of pictures: what is named changes, and outside of a mask nothing does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCutter } from '../../../../shared/cutout/cutout.ts';
import type { RenderJob } from '../renderer.ts';
import { readRecipe } from './recipe.ts';
import { renderImage } from './render.ts';

const side = 320;
const quiet = { onPartial(_image: Uint8Array) {}, isCancelled: () => false };
let photo: Buffer;
let picture: Buffer;

const render = async (change: Partial<RenderJob>, progress = quiet) =>
  Buffer.from(
    await renderImage(
      {
        prompt: 'on an oak table by a window',
        width: side,
        height: side,
        images: [photo],
        outputFormat: 'png',
        outputCompression: 100,
        background: 'opaque',
        variant: 0,
        partialImages: 0,
        ...change,
      },
      progress,
    ),
  );
const changed = (instruction: string, change: Partial<RenderJob> = {}, progress = quiet) =>
  render(
    {
      prompt: `Change the first picture: ${instruction}\n\nStyle: a photograph.\n\nThe photo shows the product.\n\nAvoid: red walls.`,
      images: [picture, photo],
      ...change,
    },
    progress,
  );
const raw = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
const meanOf = async (bytes: Uint8Array) =>
  (await sharp(bytes).stats()).channels.slice(0, 3).map(({ mean }) => mean) as [number, number, number];
/** A mask that is transparent in the left third of the picture. */
const leftThird = () =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#000' } })
    .composite([
      {
        input: { create: { width: 106, height: side, channels: 4, background: '#000' } },
        left: 0,
        top: 0,
        blend: 'dest-out',
      },
    ])
    .png()
    .toBuffer();
/** The picture without its recipe, as after an edit by another program. */
const withoutRecipe = () => sharp(picture).png().toBuffer();

beforeAll(async () => {
  await loadCutter();
  photo = await readFile(join(import.meta.dirname, '../../photos/mug-1.jpg'));
  picture = await render({ seed: 5 });
});

test('a picture tells how it was made, and other programs can read it', async () => {
  expect(readRecipe(picture)).toMatchObject({ scenes: ['on an oak table by a window'], patched: false });
  expect(readRecipe(await withoutRecipe())).toBeUndefined();
  expect(readRecipe(photo)).toBeUndefined();
});

describe('the whole picture', () => {
  test.each([
    ['with its recipe', () => picture],
    ['without it', withoutRecipe],
  ])('becomes warmer and darker, %s', async (_name, source) => {
    const images = [await source(), photo];
    const [red, green, blue] = await meanOf(images[0]!);
    const warm = await meanOf(await changed('warmer', { images }));
    expect(warm[0] / warm[2]).toBeGreaterThan((red / blue) * 1.05);
    const dark = await meanOf(await changed('make it darker', { images }));
    expect(dark[1]).toBeLessThan(green * 0.95);
  });

  test('gets another wall, and the product stays where it is', async () => {
    const blue = await changed('make the wall blue');
    const [first, second] = [await raw(picture), await raw(blue)];
    const at = (x: number, y: number) => (y * side + x) * 3;
    expect(second[at(12, 20) + 2]!).toBeGreaterThan(second[at(12, 20)]! + 30);
    // The middle of the mug.
    for (let channel = 0; channel < 3; channel += 1)
      expect(Math.abs(first[at(150, 180) + channel]! - second[at(150, 180) + channel]!)).toBeLessThan(25);
    expect(readRecipe(blue)?.scenes).toHaveLength(2);
  });

  test('changes visibly even if the instruction is not understood', async () => {
    for (const source of [picture, await withoutRecipe()]) {
      const other = await raw(await changed('add a cat', { images: [source, photo] }));
      const same = await raw(source);
      expect(same.filter((value, index) => Math.abs(value - other[index]!) > 3).length).toBeGreaterThan(
        3_000,
      );
    }
  });

  test('can be changed without a photo of the product', async () => {
    const image = await changed('on dark slate', { images: [picture] });
    expect((await meanOf(image))[0]).toBeLessThan((await meanOf(picture))[0]);
  });
});

describe('with a mask', () => {
  test.each([
    ['make the wall red', () => picture],
    ['remove the plant', () => picture],
    ['darker', withoutRecipe],
    ['remove the plant', withoutRecipe],
    ['on white marble', withoutRecipe],
  ])('%s: only its area changes, in partial images as well', async (instruction, source) => {
    const original = await source();
    const partials: Uint8Array[] = [];
    const progress = { ...quiet, onPartial: (image: Uint8Array) => partials.push(image) };
    const images = [original, photo];
    const mask = await leftThird();
    const done = await changed(instruction, { images, mask, partialImages: 2 }, progress);
    const before = await raw(original);
    for (const image of [done, ...partials]) {
      const now = await raw(image);
      let inside = 0;
      let outside = 0;
      for (let index = 0; index < now.length; index += 1) {
        if (now[index] === before[index]) continue;
        if (Math.floor(index / 3) % side < 106) inside += 1;
        else outside += 1;
      }
      expect(outside).toBe(0);
      expect(inside).toBeGreaterThan(1_000);
    }
  });

  test('without a recipe, what is to be removed is filled with what is around it', async () => {
    const spot = { create: { width: 60, height: 60, channels: 3, background: '#ff00ff' } } as const;
    const stained = await sharp(picture)
      .composite([{ input: spot, left: 20, top: 200 }])
      .png()
      .toBuffer();
    const images = [stained, photo];
    const [red, green] = await meanOf(
      await sharp(await changed('remove the spot', { images, mask: await leftThird() }))
        .extract({ left: 25, top: 205, width: 50, height: 50 })
        .toBuffer(),
    );
    expect(Math.abs(red - green)).toBeLessThan(120);
  });

  test('a later change of the light keeps what was changed in the area', async () => {
    const patched = await changed('make the wall red', { mask: await leftThird() });
    expect(readRecipe(patched)?.patched).toBe(true);
    const warmer = await changed('warmer', { images: [patched, photo] });
    const [first, second] = [await raw(patched), await raw(warmer)];
    const at = (20 * side + 20) * 3;
    expect(first[at]!).toBeGreaterThan(first[at + 2]! + 30);
    expect(second[at]!).toBeGreaterThan(second[at + 2]! + 30);
  });

  test('a transparent picture stays transparent outside of the area', async () => {
    const cut = await render({ background: 'transparent', seed: 5 });
    const image = await changed('warmer', {
      images: [cut, photo],
      background: 'transparent',
      mask: await leftThird(),
    });
    const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(data[(5 * side + 300) * 4 + 3]).toBe(0);
  });
});
