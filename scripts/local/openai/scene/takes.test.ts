/** Seeds and styles: pictures of the same scene that look different. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCutter } from '../../../../shared/cutout/cutout.ts';
import { renderImage } from './render.ts';
import { jobOf, photo, picture, pixelAt, quiet, render } from './test-pictures.ts';

beforeAll(() => loadCutter());

describe('a seed', () => {
  test('gives the same bytes again', async () => {
    const images = [await photo('soap-1')];
    const job = jobOf({ images, seed: 41, width: 320, height: 320 });
    const first = Buffer.from(await renderImage(job, quiet));
    expect(first.equals(await renderImage(job, quiet))).toBe(true);
  });

  test.each([
    'on an oak table by a window',
    'Minimalist White Background: clean',
    'Studio Photography Setup: softbox',
    'on pink paper, hard shadow',
  ])('and the three after it give four visibly different pictures: %s', async (prompt) => {
    // At this size neither grain nor the texture of a surface is visible.
    const small = async (seed: number) =>
      sharp(await render(['mug-1'], { prompt, seed }))
        .resize(48, 48)
        .raw()
        .toBuffer();
    const takes = await Promise.all([17, 18, 19, 20].map(small));
    takes.forEach((first, index) => {
      for (const second of takes.slice(index + 1)) {
        const changed = first.filter((value, at) => Math.abs(value - second[at]!) > 12).length;
        expect(changed / first.length).toBeGreaterThan(0.08);
      }
    });
  });
});

describe('a style', () => {
  const styled = (style: string, seed: number, scene = 'on white marble in a kitchen') =>
    render(['mug-1'], { prompt: `${scene}\n\nStyle: ${style}`, seed, width: 320, height: 320 });
  const means = async (image: Buffer) => {
    const { channels } = await sharp(image).stats();
    return channels.map(({ mean }) => mean) as [number, number, number];
  };

  test('of vintage photos is warmer and paler; its grain follows the seed', async () => {
    const plain = await means(await styled('a clean product photograph.', 3));
    const vintage = await styled('a vintage film photograph.', 3);
    const aged = await means(vintage);
    expect(aged[0] / aged[2]).toBeGreaterThan(plain[0] / plain[2]);
    expect(vintage.equals(await styled('a vintage film photograph.', 3))).toBe(true);
    const { channels } = await sharp(vintage).stats();
    expect(Math.min(...channels.map(({ min }) => min))).toBeGreaterThan(8);
  });

  test.each(['vintage', 'editorial', 'minimal', 'lifestyle'])(
    'of %s photos keeps white exact',
    async (style) => {
      const white = await picture(
        await styled(`a ${style} photograph.`, 3, 'Minimalist White Background: clean'),
      );
      for (const [x, y] of [
        [2, 2],
        [317, 2],
        [2, 317],
        [317, 317],
      ] as const)
        expect(pixelAt(white, x, y)).toEqual([255, 255, 255]);
    },
  );
});
