import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { limitMs } from '#tests/support/machine.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { createDecoder, type DecoderOptions } from './decoder.ts';

const photo = join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png');
const client = { sellerId: 'seller' };

function open(options: DecoderOptions = {}) {
  const decoder = createDecoder(createLog({ logLevel: 'silent' }, 'test'), {
    folder: dirname(photo),
    ...options,
  });
  onTestFinished(() => decoder.close());
  return decoder;
}

test.runIf(existsSync('/dev/full'))('a full disk is a StorageError and not a damaged photo', async () => {
  // Every write to /dev/full fails with ENOSPC.
  await expect(open().normalise(client, photo, '/dev/full')).rejects.toMatchObject({
    name: 'StorageError',
    code: 'ENOSPC',
  });
});

test('so is a missing folder, and a missing upload', async () => {
  const [decoder, folder] = [open(), await newFolder()];
  for (const [upload, target] of [
    [photo, 'gone/photo.png'],
    [join(folder, 'gone'), 'photo.png'],
  ] as const) {
    const outcome = decoder.normalise(client, upload, join(folder, target));
    await expect(outcome).rejects.toMatchObject({ name: 'StorageError', code: 'ENOENT' });
  }
});

test('sellers take turns: one image of a seller waits only for the jobs under way of another who asked for many', async () => {
  const decoder = open();
  const ended: string[] = [];
  const ask = (sellerId: string) =>
    decoder.thumbnail({ sellerId }, photo).then(() => {
      ended.push(sellerId);
    });
  await Promise.all([...Array.from({ length: 12 }, () => ask('many')), ask('one')]);
  // Two were under way, and some that begin later may end first. Without turns it would be the last one.
  expect(ended.indexOf('one')).toBeLessThanOrEqual(6);
});

test('what finds products ends when it is idle, and begins again', async () => {
  const decoder = open({ idleSeconds: 0 });
  for (let time = 0; time < 2; time += 1) {
    expect((await decoder.findProduct(client, photo)).byteLength).toBeGreaterThan(0);
    await vi.waitFor(() => expect(decoder.pids()).toEqual([]), limitMs(10_000));
  }
});
