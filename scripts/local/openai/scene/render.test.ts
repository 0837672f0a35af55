/**
 * Properties of rendered pictures: white is white, the photo's background is gone, sizes are right, results are
 * reproducible.
 */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCutter, UncuttableError } from '../../../../shared/cutout/cutout.ts';
import { renderImage } from './render.ts';
import {
  drawnArm,
  drawnCarton,
  drawnPhoto,
  jobOf,
  type Picture,
  photo,
  picture,
  pixelAt,
  quiet,
  render,
} from './test-pictures.ts';

/** The box of all pixels for which `counts` is true. */
function boxOf(of: Picture, counts: (pixel: number[]) => boolean) {
  const box = { left: of.width, top: of.height, right: -1, bottom: -1 };
  for (let y = 0; y < of.height; y += 1) {
    for (let x = 0; x < of.width; x += 1) {
      if (!counts(pixelAt(of, x, y))) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = y;
    }
  }
  return box;
}

const isOpaque = (pixel: number[]): boolean => pixel[3]! > 250;

beforeAll(async () => {
  await loadCutter();
  // The product opens no drawings, the tests do: photos of theirs are drawn as SVG.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
});

describe('white', () => {
  test.each(['mug-1', 'headphones-1'])('is exactly 255 around %s, out to every edge', async (name) => {
    const prompt = 'Minimalist White Background: clean';
    const white = await picture(await render([name], { prompt }));
    const used = boxOf(white, (pixel) => pixel.some((value) => value !== 255));
    // Product and shadow end before the frame does.
    expect(Math.min(used.left, used.top)).toBeGreaterThan(5);
    expect(Math.max(used.right, used.bottom)).toBeLessThan(634);
    // What they do not cover is white: at least the product's own opening and everything beside it.
    const cut = await picture(await render([name], { prompt, background: 'transparent' }));
    let stained = 0;
    for (let index = 0; index < white.width * white.height; index += 1) {
      if (cut.data[index * 4 + 3] !== 0) continue;
      const at = index * 3;
      if (white.data[at]! + white.data[at + 1]! + white.data[at + 2]! !== 765) stained += 1;
    }
    expect(stained / (white.width * white.height)).toBeLessThan(0.002);
  });
});

describe('the product', () => {
  test.each(['mug-1', 'vase-1', 'notebook-1'])('%s fills 65 to 85 per cent of the frame', async (name) => {
    const cut = await picture(await render([name], { background: 'transparent' }));
    const { left, top, right, bottom } = boxOf(cut, isOpaque);
    const share = Math.max(right - left, bottom - top) / 640;
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.85);
  });

  test('has none of its own background: the corners show the scene', async () => {
    const corners = async (prompt: string) => {
      const shown = await picture(await render(['tea-tin-1'], { prompt }));
      return [
        [8, 8],
        [631, 8],
        [8, 631],
        [631, 631],
      ].map(([x, y]) => pixelAt(shown, x!, y!));
    };
    const [paper, slate] = [await corners('on #22aa88 paper'), await corners('on dark slate, night')];
    for (const [red, green, blue] of paper) {
      expect(green).toBeGreaterThan(red! + 60);
      expect(green).toBeGreaterThan(blue!);
    }
    for (const pixel of slate) expect(Math.max(...pixel)).toBeLessThan(150);
  });

  test('is warmer on the side of a low sun, and evenly lit in a studio', async () => {
    const warmthOfSides = async (prompt: string) => {
      const shown = await picture(await render(['pump-bottle-3'], { prompt }));
      const warmth = (from: number, to: number) => {
        let red = 0;
        let blue = 0;
        for (let y = 330; y < 480; y += 1) {
          for (let x = from; x < to; x += 1) {
            const pixel = pixelAt(shown, x, y);
            red += pixel[0]!;
            blue += pixel[2]!;
          }
        }
        return red / blue;
      };
      return { left: warmth(262, 290), right: warmth(350, 378) };
    };
    const sunset = await warmthOfSides('on a beach at sunset');
    const studio = await warmthOfSides('Studio Photography Setup: softbox');
    expect(sunset.left).toBeGreaterThan(sunset.right * 1.02);
    // As a whole, the product stays neutral: only its lit side is warmer than in a studio.
    expect(sunset.left).toBeGreaterThan(studio.left);
    expect(Math.abs(studio.left / studio.right - 1)).toBeLessThan(0.04);
  });
});

describe('without a background', () => {
  test('there is nothing but the product and its shadow, also in partial images', async () => {
    const partials: Uint8Array[] = [];
    const job = jobOf({ images: [await photo('mug-1')], background: 'transparent', partialImages: 2 });
    const done = await renderImage(job, { ...quiet, onPartial: (image) => partials.push(image) });
    expect(partials).toHaveLength(2);
    for (const image of [...partials, done]) {
      const shown = await picture(image);
      expect(shown.channels).toBe(4);
      for (const [x, y] of [
        [2, 2],
        [637, 2],
        [2, 637],
      ] as const)
        expect(pixelAt(shown, x, y)[3]).toBe(0);
      expect(pixelAt(shown, 320, 320)[3]).toBe(255);
    }
  });
});

describe('several photos', () => {
  const opaqueWidth = async (prompt: string) => {
    const cut = await picture(
      await render(['vase-1', 'pump-bottle-1'], { prompt, background: 'transparent' }),
    );
    const { left, right } = boxOf(cut, isOpaque);
    return right - left;
  };
  test('show one product unless the description says otherwise', async () => {
    const one = await opaqueWidth('on oak');
    const both = await opaqueWidth('several products on oak');
    expect(one).toBeLessThan(320);
    expect(both).toBeGreaterThan(one * 1.3);
  });
});

test.each([
  [1536, 1024],
  [1024, 1536],
  [2048, 2048],
])('is rendered at %i × %i', async (width, height) => {
  const { width: own, height: tall } = await sharp(
    await render(['perfume-1'], { width, height, prompt: 'on white marble in a kitchen' }),
  ).metadata();
  expect([own, tall]).toEqual([width, height]);
});

test('without a photo the scene is drawn alone', async () => {
  const empty = await picture(
    await renderImage(jobOf({ prompt: 'Minimalist White Background: clean' }), quiet),
  );
  expect(boxOf(empty, (pixel) => pixel.some((value) => value !== 255)).right).toBe(-1);
  const table = await picture(await renderImage(jobOf({}), quiet));
  const wood = boxOf(table, ([red, , blue]) => red! > blue! + 30);
  expect(wood.bottom - wood.top).toBeGreaterThan(table.height / 4);
});

test('equal jobs give equal bytes, another variant gives another picture', async () => {
  const images = [await photo('soap-1')];
  const first = Buffer.from(await renderImage(jobOf({ images }), quiet));
  expect(first.equals(await renderImage(jobOf({ images }), quiet))).toBe(true);
  expect(first.equals(await renderImage(jobOf({ images, variant: 1 }), quiet))).toBe(false);
});

describe('a photo without a product', () => {
  let wall: Buffer;
  beforeAll(async () => {
    wall = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#b9b4ac' } })
      .jpeg()
      .toBuffer();
  });

  test('is refused', async () => {
    await expect(renderImage(jobOf({ images: [wall] }), quiet)).rejects.toBeInstanceOf(UncuttableError);
  });

  test('is ignored beside another view of the product, but rejected among several products', async () => {
    const images = [wall, await photo('vase-1')];
    expect((await renderImage(jobOf({ images }), quiet)).length).toBeGreaterThan(10_000);
    const several = jobOf({ images, prompt: 'several products on oak' });
    await expect(renderImage(several, quiet)).rejects.toMatchObject({
      name: 'UncuttableError',
      reason: 'nothing-salient',
      photo: 1,
    });
  });
});

test('a photo of a product that a hand holds is refused', async () => {
  const images = [await drawnPhoto(drawnArm + drawnCarton)];
  await expect(renderImage(jobOf({ images }), quiet)).rejects.toMatchObject({
    name: 'UncuttableError',
    reason: 'held',
  });
  const alone = jobOf({ images: [await drawnPhoto(drawnCarton)] });
  expect((await renderImage(alone, quiet)).length).toBeGreaterThan(10_000);
});
