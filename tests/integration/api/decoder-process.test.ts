/** Decoder processes: apart from the server, limited in time, and replaced when they die. */
import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { createDecoder, type Decoder, type DecoderOptions } from '#server/generations/decoder/decoder.ts';
import { createLog } from '#shared/platform/log.ts';
import {
  largePhoto,
  measurable,
  megabyte,
  testWithFolder as test,
  writePhoto,
} from '#tests/support/decoder.ts';
import { limitMs } from '#tests/support/machine.ts';
import { childrenOf, memoryOf, stateOf } from '#tests/support/memory.ts';
import { samplePhoto } from '#tests/support/photos.ts';

/** A decoder that closes with the test. */
function openDecoder(options?: DecoderOptions): Decoder {
  const decoder = createDecoder(createLog({ logLevel: 'silent' }, 'test'), options);
  onTestFinished(() => decoder.close());
  return decoder;
}

/** Makes a photo at which a decoder process hangs without using the processor: nobody writes into the pipe. @returns its path */
async function endlessPhoto(folder: string): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.photo`);
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

/**
 * Starts decoding a photo and waits until it has a process.
 * @param usedBytes memory that the process has at least used for it
 * @returns the id of that process; `outcome` resolves with the photo or with the error
 */
async function startDecoding(decoder: Decoder, path: string, usedBytes = 0) {
  const outcome = decoder.normalise(path, `${path}.png`).then(
    (photo) => photo,
    (error: unknown) => error,
  );
  const pid = await decodingProcess(decoder);
  if (usedBytes > 0) await untilUsed(pid, usedBytes);
  return { outcome, pid };
}

/** The id of the process that decodes now, other than a given one. */
async function decodingProcess(decoder: Decoder, otherThan?: number): Promise<number> {
  const others = () => decoder.pids().filter((pid) => pid !== otherThan);
  await expect.poll(others, { interval: 5 }).toHaveLength(1);
  return others()[0]!;
}

/** Waits until a process has used so much memory: it is in the middle of a large photo. */
async function untilUsed(pid: number, bytes: number): Promise<void> {
  await expect.poll(async () => (await memoryOf(pid)).now, { interval: 5 }).toBeGreaterThan(bytes);
}

/**
 * Replaces a photo that is being decoded by the sample photo. The process that is decoding it has opened the other file;
 * the next one decodes the sample photo in no time, and by its size a test can tell that it was the next one.
 */
async function replaceWithSample(path: string): Promise<void> {
  await writeFile(`${path}.sample`, await samplePhoto());
  await rename(`${path}.sample`, path);
}

describe('a decoder process that ends', () => {
  test('in the middle of a photo: another one decodes it', async ({ folder }) => {
    const decoder = openDecoder();
    const path = await endlessPhoto(folder);
    const { outcome, pid } = await startDecoding(decoder, path);
    await replaceWithSample(path);
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toMatchObject({ width: 96, height: 64 });
    expect(decoder.pids()).not.toContain(pid);
  });

  test.for([
    ['killed twice: the photo is refused for now', 'SIGKILL', { code: 'UNAVAILABLE', retryAfterSeconds: 5 }],
    ['crashed twice: the photo is refused for good', 'SIGABRT', { code: 'IMAGE_CORRUPT' }],
  ] as const)('%s', async ([, signal, error], { folder }) => {
    const decoder = openDecoder();
    const { outcome, pid } = await startDecoding(decoder, await endlessPhoto(folder));
    process.kill(pid, signal);
    process.kill(await decodingProcess(decoder, pid), signal);
    expect(await outcome).toMatchObject(error);
    // The next photo gets a new process.
    const path = await writePhoto(folder, await samplePhoto());
    expect(await decoder.normalise(path, `${path}.png`)).toMatchObject({ width: 96, height: 64 });
  });

  test.skipIf(!measurable)('ends with its server, killed in the middle of a photo', async ({ stack }) => {
    const server = await stack.startServerProcess();
    const seller = await stack.seller({ url: server.url! });
    const upload = seller.send({ photos: [largePhoto()] }).catch(() => undefined);
    await expect.poll(() => childrenOf(server.pid), { interval: 5 }).toHaveLength(1);
    const [pid] = childrenOf(server.pid);
    await untilUsed(pid!, 150 * megabyte);
    await server.kill();
    await upload;
    await expect.poll(() => stateOf(pid!)).toMatch(/^(gone|Z)$/);
  });

  test('with a server that closes: its photo is refused for now, and no other process starts', async ({
    folder,
  }) => {
    const decoder = openDecoder();
    const { outcome } = await startDecoding(decoder, await endlessPhoto(folder));
    await decoder.close();
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    expect(decoder.pids()).toEqual([]);
  });

  test.skipIf(!measurable)(
    'a thumbnail does not wait for a photo, and is made even if the process of both ends',
    async ({ folder }) => {
      const decoder = openDecoder();
      const [photo, path] = [
        await writePhoto(folder, largePhoto()),
        await writePhoto(folder, await samplePhoto()),
      ];
      const { outcome, pid } = await startDecoding(decoder, photo, 150 * megabyte);
      await replaceWithSample(photo);
      expect((await decoder.thumbnail(path)).length).toBeGreaterThan(0);
      expect(decoder.pids()).toEqual([pid]);
      const another = decoder.thumbnail(path);
      process.kill(pid, 'SIGKILL');
      expect((await another).length).toBeGreaterThan(0);
      expect(await outcome).toMatchObject({ width: 96 });
    },
  );
});

describe('a photo that takes too long', () => {
  test('is refused when its processor time is used up', async ({ folder }) => {
    const decoder = openDecoder({ processorSeconds: 0.2 });
    const path = await writePhoto(folder, largePhoto());
    await expect(decoder.normalise(path, `${path}.png`)).rejects.toMatchObject({
      code: 'IMAGE_CORRUPT',
      message: 'One of the photos is too complex to open. Please export it as a plain JPEG and retry.',
    });
  });

  test('is refused for now when the decoder hangs, and the next photo gets another process', async ({
    folder,
  }) => {
    const decoder = openDecoder({ seconds: limitMs(5_000) / 1_000 });
    const { outcome, pid } = await startDecoding(decoder, await endlessPhoto(folder));
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    const path = await writePhoto(folder, await samplePhoto());
    expect(await decoder.normalise(path, `${path}.png`)).toMatchObject({ width: 96 });
    expect(decoder.pids()).not.toContain(pid);
  });
});

test.skipIf(!measurable)(
  'decoder processes have the lowest priority, are killed first when memory is short, and have no secrets',
  async ({ folder }) => {
    const decoder = openDecoder();
    const path = await writePhoto(folder, await samplePhoto());
    await decoder.normalise(path, `${path}.png`);
    const [pid] = decoder.pids();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])).toBeGreaterThan(0);
    expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('900\n');
    const names = (await readFile(`/proc/${pid}/environ`, 'latin1'))
      .split('\0')
      .map((one) => one.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
  },
);
