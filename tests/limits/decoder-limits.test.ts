/** How large a photo may be, and how much memory decoding it takes. */

import { setTimeout } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, onTestFinished } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { startDecoderProcess } from '#server/decoder/decoder-process.ts';
import type { PhotoWeight } from '#server/decoder/jobs.ts';
import {
  largePhoto,
  measurable,
  megabyte,
  testWithFolder as test,
  writePhoto,
} from '#tests/support/decoder.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { flatJpeg, interlacedPng, withGamma } from '#tests/support/large-photos.ts';
import { limitMs, machineFactor } from '#tests/support/machine.ts';
import { memoryOf, memoryOfTree } from '#tests/support/memory.ts';
import { avifClaiming, noise } from '#tests/support/odd-photos.ts';
import { flatImage } from '#tests/support/photos.ts';

const measuringIntervalMs = 20;

describe('a photo that must be decoded completely', () => {
  test.for([
    [
      'an interlaced PNG',
      () => interlacedPng(10_000, 10_000),
      '“photo.png” is an interlaced PNG with too many megapixels to open. Please export it without interlacing.',
    ],
    [
      'a progressive JPEG',
      () => flatJpeg(10_000, 10_000, { progressive: true }),
      '“photo.png” is a progressive JPEG with more than 50 megapixels. Please export it as a baseline JPEG.',
    ],
    [
      'an AVIF',
      () => avifClaiming(7_000, 7_000),
      '“photo.png” is an AVIF with too many megapixels to open. Please export it as JPEG.',
    ],
  ] as const)('%s larger than any camera makes is refused', async ([, photo, message], { stack }) => {
    const seller = await stack.seller();
    expectError(await seller.send({ photos: [await photo()] }), 'TOO_MANY_PIXELS', { message });
    await expectNothingLeft(stack, seller.id);
  });

  test('of 50 megapixels, or 25 with 16 bits, is accepted', async ({ stack }) => {
    const seller = await stack.seller();
    await seller.submit({
      photos: [interlacedPng(5_792, 4_344, { grey: true }), flatJpeg(8_192, 6_144, { progressive: true })],
    });
  });

  test('a photo that is decoded row by row may have 100 megapixels', async ({ stack }) => {
    const seller = await stack.seller();
    await seller.submit({ photos: [flatJpeg(10_000, 10_000)] });
  });
});

/** Noise with alpha, which repeats so that it is compressed in a moment. */
const noisy = (side: number): Sharp =>
  sharp(Buffer.alloc(side * side * 4, noise(512, 512, 9)), {
    raw: { width: side, height: side, channels: 4 },
  });

const weighedPhotos: [what: string, photo: () => Buffer | Promise<Buffer>][] = [
  ['an interlaced PNG', () => interlacedPng(3_000, 2_000)],
  ['a large interlaced PNG', largePhoto],
  ['a progressive JPEG', () => flatJpeg(5_000, 4_000, { progressive: true })],
  ['a baseline JPEG', () => flatJpeg(6_000, 6_000)],
  ['a PNG of 16 bits', () => flatImage(3_000, 3_000).toColourspace('rgb16').png().toBuffer()],
  [
    'a PNG with another exponent',
    async () => withGamma(await noisy(2_048).png({ compressionLevel: 1 }).toBuffer(), 100_000),
  ],
  ['an AVIF', () => flatImage(2_500, 2_500).avif({ effort: 0 }).toBuffer()],
  ['an AVIF of ten bits', () => flatImage(2_500, 2_500).avif({ effort: 0, bitdepth: 10 }).toBuffer()],
  ['a lossless WebP', () => noisy(3_000).webp({ lossless: true, effort: 0 }).toBuffer()],
  [
    'a TIFF of tiles',
    () =>
      flatImage(4_000, 4_000)
        .toColourspace('rgb16')
        .tiff({ compression: 'deflate', tile: true, tileWidth: 2_048, tileHeight: 2_048 })
        .toBuffer(),
  ],
];

describe.skipIf(!measurable)('the memory that is reserved', () => {
  test.for(weighedPhotos)('%s does not take more', async ([, photo], { folder }) => {
    const path = await writePhoto(folder, await photo());
    const decoder = startDecoderProcess();
    onTestFinished(() => decoder.kill());
    const given = {
      path,
      target: `${path}.png`,
      processorSeconds: serverLimits.decodeProcessorSeconds * machineFactor(),
    };
    const weighed = await decoder.run('normaliseIfLight', { ...given, weight: 0 }, limitMs(60_000));
    const { weight } = (weighed as { result: PhotoWeight }).result;
    const before = await memoryOf(decoder.pid!);
    expect(await decoder.run('normalise', { ...given, weight }, limitMs(60_000))).toHaveProperty('result');
    const { peak } = await memoryOf(decoder.pid!);
    expect((peak - before.now) / megabyte).toBeLessThanOrEqual(weight / megabyte);
  });

  test('decoding a photo that takes far more is aborted', async ({ folder }) => {
    const path = await writePhoto(folder, largePhoto());
    const decoder = startDecoderProcess();
    const given = { path, target: `${path}.png`, weight: 0, processorSeconds: limitMs(60_000) / 1_000 };
    expect(await decoder.run('normalise', given, limitMs(60_000))).toMatchObject({
      refused: 'IMAGE_CORRUPT',
    });
    await decoder.ended;
  });

  test('six large photos at once stay within it, and other requests are served meanwhile', async ({
    stack,
  }) => {
    const server = await stack.startServerProcess();
    const sellers = await Promise.all(Array.from({ length: 4 }, () => stack.seller({ url: server.url! })));
    await sellers[0]!.submit();
    const before = await memoryOfTree(server.pid);
    const photo = flatJpeg(8_192, 6_144, { progressive: true });
    let hasEnded = false;
    const all = Promise.all(
      Array.from({ length: 6 }, (_, index) => sellers[index % 4]!.send({ photos: [photo] })),
    ).finally(() => {
      hasEnded = true;
    });
    let most = 0;
    while (!hasEnded) {
      const { now } = await memoryOfTree(server.pid);
      most = Math.max(most, now - before.now);
      await sellers[0]!.me();
      // A photo holds its memory for much longer. Without a pause, measuring would take most of the processor's time.
      await setTimeout(measuringIntervalMs);
    }
    const answers = await all;
    expect(answers.filter(({ status }) => ![202, 503].includes(status))).toEqual([]);
    expect(answers.some(({ status }) => status === 202)).toBe(true);
    expect(most).toBeLessThan(serverLimits.decodeBytes + 100 * megabyte);
    await server.terminate();
  });
});
