/** What unpacks photos: bounded in memory and time, apart from the server, and replaced when it dies. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { limits } from '#contract';
import { flatJpeg, interlacedPng } from '#scripts/attack/large-photos.ts';
import { createDecoder, type Decoder, type DecoderOptions } from '#server/generations/decoder/decoder.ts';
import { startDecoderProcess } from '#server/generations/decoder/decoder-process.ts';
import { bytesToDecode, type PhotoHeader } from '#server/generations/decoder/weight.ts';
import { createLog } from '#shared/platform/log.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { childrenOf, memoryOf, memoryOfTree } from '#tests/support/memory.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { createSeller } from '#tests/support/seller.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const megabyte = 1024 * 1024;
/** Only Linux says what a process takes and has started. */
const measurable = process.platform === 'linux';

const test = testWithStack({ workers: 0 }).extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);

/** As large as one of 16 bits may be: it takes seconds and 280 MB to unpack. */
const large = () => interlacedPng(5_792, 4_344);

async function fileOf(folder: string, bytes: Buffer): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.photo`);
  await writeFile(path, bytes);
  return path;
}

function openDecoder(options?: DecoderOptions): Decoder {
  const decoder = createDecoder(createLog({ logLevel: 'silent' }, 'test'), options);
  onTestFinished(() => decoder.close());
  return decoder;
}

/** Begins to unpack a photo. @returns the process that does it, once it is in the middle of it */
async function inTheMiddle(decoder: Decoder, path: string) {
  const done = decoder.normalise(path, `${path}.png`);
  const outcome = done.then(
    (photo) => photo,
    (error: unknown) => error,
  );
  return { outcome, pid: await nextInTheMiddle(decoder) };
}

async function nextInTheMiddle(decoder: Decoder, notThis?: number): Promise<number> {
  return vi.waitFor(
    async () => {
      const pid = decoder.pids().find((each) => each !== notThis);
      if (pid === undefined || (await memoryOf(pid)).now < 150 * megabyte) throw new Error('not yet');
      return pid;
    },
    { timeout: 30_000, interval: 5 },
  );
}

describe('a photo that can only be unpacked whole', () => {
  test.for([
    [
      'an interlaced PNG',
      () => interlacedPng(10_000, 10_000),
      'One of the photos is an interlaced PNG with too many megapixels to open. Please export it without interlacing.',
    ],
    [
      'a progressive JPEG',
      () => flatJpeg(10_000, 10_000, { progressive: true }),
      'One of the photos is a progressive JPEG with more than 50 megapixels. Please export it as a baseline JPEG.',
    ],
    [
      'an AVIF',
      () => flat(7_000, 7_000).avif({ effort: 0 }).toBuffer(),
      'One of the photos is an AVIF with too many megapixels to open. Please export it as JPEG.',
    ],
  ] as const)('%s above what a camera makes is refused', async ([, photo, message], { stack }) => {
    const seller = await stack.seller();
    expectError(await seller.send({ photos: [await photo()] }), 'TOO_MANY_PIXELS', { message });
    await expectNothingLeft(stack, seller.id);
  });

  test('of 50 megapixels, or 25 of 16 bits, it is taken', async ({ stack }) => {
    const seller = await stack.seller();
    await seller.submit({
      photos: [large(), flatJpeg(8_192, 6_144, { progressive: true })],
    });
  });

  test('read row by row it may have 100 megapixels', async ({ stack }) => {
    const seller = await stack.seller();
    await seller.submit({ photos: [flatJpeg(10_000, 10_000)] });
  });
});

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b5482a' } });
const noisyTiles = async (): Promise<Sharp> => {
  const tile = await sharp({
    create: {
      width: 512,
      height: 512,
      channels: 4,
      background: '#000',
      noise: { type: 'gaussian', sigma: 9 },
    },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width: 3_000, height: 3_000, channels: 4, background: '#888' } }).composite([
    { input: tile, tile: true },
  ]);
};

const weighed: [what: string, photo: () => Buffer | Promise<Buffer>][] = [
  ['an interlaced PNG', () => interlacedPng(5_000, 4_000)],
  ['a large interlaced PNG', large],
  ['a progressive JPEG', () => flatJpeg(8_192, 6_144, { progressive: true })],
  ['a baseline JPEG', () => flatJpeg(10_000, 10_000)],
  ['a PNG of 16 bits', () => flat(6_000, 6_000).toColourspace('rgb16').png().toBuffer()],
  ['an AVIF', () => flat(3_000, 3_000).avif({ effort: 0 }).toBuffer()],
  ['an AVIF of ten bits', () => flat(3_000, 3_000).avif({ effort: 0, bitdepth: 10 }).toBuffer()],
  ['a lossless WebP', async () => (await noisyTiles()).webp({ lossless: true, effort: 0 }).toBuffer()],
  [
    'a TIFF of tiles',
    () =>
      flat(6_000, 6_000)
        .toColourspace('rgb16')
        .tiff({ compression: 'deflate', tile: true, tileWidth: 2_048, tileHeight: 2_048 })
        .toBuffer(),
  ],
];

describe.skipIf(!measurable)('the memory that is reckoned with', () => {
  test.for(weighed)('%s takes no more', async ([, photo], { folder }) => {
    const path = await fileOf(folder, await photo());
    const decoder = startDecoderProcess();
    onTestFinished(() => decoder.kill());
    const { result: header } = (await decoder.run('header', { path }, 60_000)) as { result: PhotoHeader };
    const weight = bytesToDecode(header);
    const before = await memoryOf(decoder.pid!);
    const given = { path, target: `${path}.png`, weight, processorSeconds: 60 };
    expect(await decoder.run('normalise', given, 60_000)).toHaveProperty('result');
    const { peak } = await memoryOf(decoder.pid!);
    expect((peak - before.now) / megabyte).toBeLessThanOrEqual(weight / megabyte);
  });

  test('a photo that takes far more is broken off', async ({ folder }) => {
    const path = await fileOf(folder, large());
    const decoder = startDecoderProcess();
    const given = { path, target: `${path}.png`, weight: 0, processorSeconds: 60 };
    expect(await decoder.run('normalise', given, 60_000)).toMatchObject({ refused: 'IMAGE_CORRUPT' });
    await decoder.ended;
  });

  test('six large photos at once stay within it, and others are served meanwhile', {
    timeout: 120_000,
  }, async ({ stack }) => {
    const server = await stack.startServerProcess();
    const sellers = await Promise.all(
      Array.from({ length: 4 }, () => createSeller({ url: server.url!, db: stack.db })),
    );
    await sellers[0]!.submit();
    const before = await memoryOfTree(server.pid);
    const photo = interlacedPng(5_700, 4_300);
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
    }
    const answers = await all;
    expect(answers.filter(({ status }) => ![202, 503].includes(status))).toEqual([]);
    expect(answers.some(({ status }) => status === 202)).toBe(true);
    expect(most).toBeLessThan(limits.decodeBytes + 100 * megabyte);
    await server.terminate();
  });
});

describe.skipIf(!measurable)('a decoder that ends', () => {
  test('in the middle of a photo: another one unpacks it', async ({ folder }) => {
    const decoder = openDecoder();
    const { outcome, pid } = await inTheMiddle(decoder, await fileOf(folder, large()));
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toMatchObject({ width: 2_048, height: 1_536 });
    expect(decoder.pids()).not.toContain(pid);
  });

  test.for([
    ['twice by force: the photo is put off', 'SIGKILL', { code: 'UNAVAILABLE', retryAfterSeconds: 5 }],
    ['twice in a crash: the photo is refused', 'SIGABRT', { code: 'IMAGE_CORRUPT' }],
  ] as const)('%s', async ([, signal, refusal], { folder }) => {
    const decoder = openDecoder();
    const { outcome, pid } = await inTheMiddle(decoder, await fileOf(folder, large()));
    process.kill(pid, signal);
    process.kill(await nextInTheMiddle(decoder, pid), signal);
    expect(await outcome).toMatchObject(refusal);
    // The next photo finds a decoder.
    const path = await fileOf(folder, await samplePhoto());
    expect(await decoder.normalise(path, `${path}.png`)).toMatchObject({ width: 96, height: 64 });
  });

  test('it ends with the server, killed in the middle of a photo', async ({ stack }) => {
    const server = await stack.startServerProcess();
    const seller = await createSeller({ url: server.url!, db: stack.db });
    const upload = seller.send({ photos: [large()] }).catch(() => undefined);
    const [pid] = await vi.waitFor(
      async () => {
        const children = await childrenOf(server.pid);
        expect(children).toHaveLength(1);
        expect((await memoryOf(children[0]!)).now).toBeGreaterThan(150 * megabyte);
        return children;
      },
      { timeout: 30_000, interval: 5 },
    );
    await server.kill();
    await upload;
    await expect.poll(() => stateOf(pid!)).toMatch(/^(gone|Z)$/);
  });

  test('with the server that closes: what it was doing is put off, and no other one is started', async ({
    folder,
  }) => {
    const decoder = openDecoder();
    const { outcome } = await inTheMiddle(decoder, await fileOf(folder, large()));
    await decoder.close();
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    expect(decoder.pids()).toEqual([]);
  });

  test('a thumbnail does not wait for a photo, and is made when the decoder ends under both', async ({
    folder,
  }) => {
    const decoder = openDecoder();
    const [photo, path] = [await fileOf(folder, large()), await fileOf(folder, await samplePhoto())];
    const { outcome, pid } = await inTheMiddle(decoder, photo);
    expect((await decoder.thumbnail(path)).length).toBeGreaterThan(0);
    expect(decoder.pids()).toEqual([pid]);
    const another = decoder.thumbnail(path);
    process.kill(pid, 'SIGKILL');
    expect((await another).length).toBeGreaterThan(0);
    expect(await outcome).toMatchObject({ width: 2_048 });
  });
});

/** The state of a process as Linux calls it: Z is one that has ended and whose parent has not looked yet. */
async function stateOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\s+(\w)/m.exec(status)?.[1] ?? 'gone';
}

describe('a photo without an end', () => {
  test('has so much processor time', async ({ folder }) => {
    const decoder = openDecoder({ processorSeconds: 0.2 });
    const path = await fileOf(folder, large());
    await expect(decoder.normalise(path, `${path}.png`)).rejects.toMatchObject({
      code: 'IMAGE_CORRUPT',
      message: 'One of the photos is too complex to open. Please export it as a plain JPEG and retry.',
    });
  });

  test.skipIf(!measurable)(
    'is put off when the decoder hangs, and the next one finds another',
    async ({ folder }) => {
      const decoder = openDecoder({ seconds: 3 });
      const { outcome, pid } = await inTheMiddle(decoder, await fileOf(folder, large()));
      process.kill(pid, 'SIGSTOP');
      expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
      const path = await fileOf(folder, await samplePhoto());
      expect(await decoder.normalise(path, `${path}.png`)).toMatchObject({ width: 96 });
      expect(decoder.pids()).not.toContain(pid);
    },
  );
});

test.skipIf(!measurable)(
  'decoders stand behind everything else, and know none of its secrets',
  async ({ folder }) => {
    const decoder = openDecoder();
    const { outcome, pid } = await inTheMiddle(decoder, await fileOf(folder, large()));
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])).toBeGreaterThan(0);
    expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('900\n');
    const names = (await readFile(`/proc/${pid}/environ`, 'latin1'))
      .split('\0')
      .map((one) => one.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
    await outcome;
  },
);
