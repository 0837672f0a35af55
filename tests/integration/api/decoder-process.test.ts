/** Decoder processes: apart from the server, limited in time, and replaced when they die. */
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import {
  client,
  decodingProcess,
  endlessPhoto,
  largePhoto,
  measurable,
  openDecoder,
  replaceWithSample,
  startDecoding,
  testWithFolder as test,
  writePhoto,
} from '#tests/support/decoder.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';

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
    expect(await decoder.normalise(client, path, `${path}.png`)).toMatchObject({ width: 96, height: 64 });
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
});

describe('a photo that takes too long', () => {
  test('is refused when its processor time is used up', async ({ folder }) => {
    const decoder = openDecoder({ processorSeconds: 0.2 });
    const path = await writePhoto(folder, largePhoto());
    await expect(decoder.normalise(client, path, `${path}.png`)).rejects.toMatchObject({
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
    expect(await decoder.normalise(client, path, `${path}.png`)).toMatchObject({ width: 96 });
    expect(decoder.pids()).not.toContain(pid);
  });
});

test.skipIf(!measurable)(
  'decoder processes have the lowest priority, are killed first when memory is short, and have no secrets',
  async ({ folder }) => {
    const decoder = openDecoder();
    const path = await writePhoto(folder, await samplePhoto());
    await decoder.normalise(client, path, `${path}.png`);
    const [pid] = decoder.pids();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])).toBeGreaterThan(0);
    const ownScore = Number(await readFile('/proc/self/oom_score_adj', 'utf8'));
    const score = Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'));
    expect(score).toBe(Math.max(500, Math.min(1_000, ownScore + 50)));
    const names = (await readFile(`/proc/${pid}/environ`, 'latin1'))
      .split('\0')
      .map((one) => one.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
    // What these flags prevent: shared/platform/job-process.test.ts.
    const flags = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    expect(flags).toContain('--permission');
    // Threads, which have the same permissions, decode HEIC.
    expect(flags.filter((flag) => /^--allow-(?!addons$|fs-read=)/.test(flag))).toEqual(['--allow-worker']);
    expect(flags).not.toContain(`--allow-fs-read=${rootFolder}`);
  },
);
