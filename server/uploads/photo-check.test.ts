/** Which photos get a warning. */
import { expect, test } from 'vitest';
import { limits, photoSizeFault, stripMessage } from '#contract';
import {
  addNoise,
  degradations,
  degradedJpeg,
  type Picture,
  readPicture,
} from '#tests/campaigns/photo-checks/degrade.ts';
import { cutOutPhotos, drawnPhotos } from '#tests/campaigns/photo-checks/drawn.ts';
import { testWarningsOf, warningsOf } from '#tests/support/photo-warnings.ts';
import { createRandom } from '#tests/support/random.ts';

/** The size of a photo as it is stored (server/decoder/normalise.ts). */
function storedSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, limits.photoSide / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

// A fabric with fine detail.
testWarningsOf('cushion-1.jpg');

test('good photos of smooth, white, black, pale and small products get no warning', async () => {
  const names: string[] = [];
  for (const { name, picture } of drawnPhotos(1)) {
    names.push(name);
    expect(warningsOf(picture), name).toEqual([]);
  }
  // The handle of a cup shows the background in the middle of the product.
  for await (const { name, picture } of cutOutPhotos(['mug-1'])) {
    names.push(name);
    expect(warningsOf(picture), name).toEqual([]);
  }
  expect(names).toHaveLength(16);
});

const side = 640;
const pictureOf = (valueAt: (x: number, y: number) => number): Picture => ({
  data: Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return valueAt(pixel % side, Math.floor(pixel / side));
  }),
  width: side,
  height: side,
});

test('fine texture, such as grass or fur, is sharp as it is and blurry after a blur of 2 pixels', async () => {
  for (const grain of [3, 4]) {
    const { next } = createRandom(grain);
    const grains = Array.from({ length: (side / grain + 1) ** 2 }, () => 90 + 60 * next());
    const columns = Math.ceil(side / grain);
    const picture = pictureOf((x, y) => grains[Math.floor(y / grain) * columns + Math.floor(x / grain)]!);
    expect(warningsOf(picture), `${grain}`).toEqual([]);
    const blurred = await readPicture(await degradedJpeg(picture, degradations['blur 2 px']!, 1));
    expect(warningsOf(blurred), `${grain}, blurred`).toEqual(['blurry']);
  }
});

test('a dark product is too bright on a carpet of which the light left only parts, and not on a white sweep', async () => {
  const { next } = createRandom(1);
  const isProduct = (x: number, y: number) => x > 200 && x < 440 && y > 200 && y < 440;
  const tufts = Array.from({ length: (side / 8) ** 2 }, () => 128 + 30 * next());
  const carpet = pictureOf((x, y) =>
    isProduct(x, y) ? 20 + (x % 16) : tufts[Math.floor(y / 8) * (side / 8) + Math.floor(x / 8)]!,
  );
  expect(warningsOf(carpet)).toEqual([]);
  const overexposed = await readPicture(await degradedJpeg(carpet, degradations['bright by 2 stops']!, 1));
  expect(warningsOf(overexposed)).toEqual(['bright']);
  // Light falls off towards one side of the sweep.
  const sweep = pictureOf((x, y) => (isProduct(x, y) ? 20 + (x % 16) : Math.min(255, 205 + x / 4)));
  expect(warningsOf(addNoise(sweep, 2, createRandom(1).next))).toEqual([]);
});

test('pale spots in a clipped background are what the light left of it, but pearls on a white sweep are the product', async () => {
  const far = (x: number, y: number, [left, top]: readonly [number, number]) => Math.hypot(x - left, y - top);
  const spots = Array.from(
    { length: 24 },
    (_, at) => [60 + (at % 6) * 100, 60 + Math.floor(at / 6) * 160] as const,
  );
  const pearls = (ground: (x: number, y: number) => number) =>
    pictureOf((x, y) => {
      const nearest = Math.min(...spots.map((spot) => far(x, y, spot)));
      return nearest < 9 ? 236 - nearest : ground(x, y);
    });
  expect(warningsOf(pearls(() => 255))).toEqual([]);
  // Of a floor a part is in the shade: no sweep is like that.
  expect(warningsOf(pearls((_, y) => (y < 440 ? 255 : 120)))).toEqual(['bright']);
  expect(warningsOf(pearls((_, y) => (y < 440 ? 200 : 120)))).toEqual([]);
});

test('a photo is small when the short side of what is stored has fewer than 512 pixels', () => {
  const isSmall = (ofWidth: number, ofHeight: number) => {
    const { width, height } = storedSize(ofWidth, ofHeight);
    return warningsOf({ data: new Uint8Array(width * height * 3).fill(200), width, height }).includes(
      'small',
    );
  };
  expect(isSmall(2_000, 512)).toBe(false);
  expect(isSmall(2_000, 511)).toBe(true);
  expect(isSmall(511, 2_000)).toBe(true);
  // Stored with 2,048 × 410 pixels.
  expect(isSmall(6_000, 1_200)).toBe(true);
});

test('a photo is refused if it is too small, a strip, or too large, whichever way it lies', () => {
  for (const [short, long, fault] of [
    [64, 64, null],
    [63, 64, { code: 'IMAGE_TOO_SMALL' }],
    [64, 1_280, null],
    [64, 1_281, { code: 'IMAGE_TOO_SMALL', message: stripMessage }],
    [64, 1_500_000, { code: 'IMAGE_TOO_SMALL', message: stripMessage }],
    [100, 2_000, null],
    [10_000, 10_000, null],
    [10_000, 10_001, { code: 'TOO_MANY_PIXELS' }],
  ] as const) {
    expect(photoSizeFault(short, long)).toEqual(fault);
    expect(photoSizeFault(long, short)).toEqual(fault);
  }
});

test('what is stored of a photo that is not refused has as many pixels on its short side as a photo must have', () => {
  for (let short = limits.photoSideLeast; short < 3_000; short += 61) {
    const { width, height } = storedSize(short, short * limits.photoSideRatio);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(limits.photoSideLeast);
  }
});

test('a photo with too few pixels to tell is not called blurry', () => {
  const data = new Uint8Array(64 * 64 * 3).fill(128);
  expect(warningsOf({ data, width: 64, height: 64 })).toEqual(['small']);
});
