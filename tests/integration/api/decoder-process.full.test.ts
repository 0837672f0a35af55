/** Decoder processes: they end with their server, and make thumbnails meanwhile. */
import { expect } from 'vitest';
import {
  client,
  largePhoto,
  measurable,
  megabyte,
  openDecoder,
  replaceWithSample,
  startDecoding,
  testWithFolder as test,
  untilUsed,
  writePhoto,
} from '#tests/support/decoder.ts';
import { childrenOf, stateOf } from '#tests/support/memory.ts';
import { samplePhoto } from '#tests/support/photos.ts';

test.skipIf(!measurable)(
  'a decoder process ends with its server, killed in the middle of a photo',
  async ({ stack }) => {
    const server = await stack.startServerProcess();
    const seller = await stack.seller({ url: server.url! });
    const upload = seller.send({ photos: [largePhoto()] }).catch(() => undefined);
    await expect.poll(() => childrenOf(server.pid), { interval: 5 }).toHaveLength(1);
    const [pid] = childrenOf(server.pid);
    await untilUsed(pid!, 150 * megabyte);
    await server.kill();
    await upload;
    await expect.poll(() => stateOf(pid!)).toMatch(/^(gone|Z)$/);
  },
);

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
    expect((await decoder.thumbnail(client, path)).length).toBeGreaterThan(0);
    expect(decoder.pids()).toEqual([pid]);
    const another = decoder.thumbnail(client, path);
    process.kill(pid, 'SIGKILL');
    expect((await another).length).toBeGreaterThan(0);
    expect(await outcome).toMatchObject({ width: 96 });
  },
);
