import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { createDecoder, type Decoder } from './decoder.ts';

const photo = join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png');
const client = { sellerId: 'seller' };
let folder: string;
let decoder: Decoder;
beforeEach(async () => {
  decoder = createDecoder(createLog({ logLevel: 'silent' }, 'test'), { folder: dirname(photo) });
  folder = await mkdtemp(join(tmpdir(), 'packshot-photos-'));
});
afterEach(async () => {
  await decoder.close();
  await rm(folder, { recursive: true });
});

test.runIf(existsSync('/dev/full'))('a full disk is a StorageError and not a damaged photo', async () => {
  // Every write to /dev/full fails with ENOSPC.
  await expect(decoder.normalise(client, photo, '/dev/full')).rejects.toMatchObject({
    name: 'StorageError',
    code: 'ENOSPC',
  });
});

test('so is a missing folder, and a missing upload', async () => {
  const gone = { name: 'StorageError', code: 'ENOENT' };
  await expect(decoder.normalise(client, photo, join(folder, 'gone', 'photo.png'))).rejects.toMatchObject(
    gone,
  );
  await expect(
    decoder.normalise(client, join(folder, 'gone'), join(folder, 'photo.png')),
  ).rejects.toMatchObject(gone);
});

test('sellers take turns: one image of a seller waits only for the jobs under way of another who asked for many', async () => {
  const ended: string[] = [];
  const ask = (sellerId: string) =>
    decoder.thumbnail({ sellerId }, photo).then(() => {
      ended.push(sellerId);
    });
  await Promise.all([...Array.from({ length: 12 }, () => ask('many')), ask('one')]);
  // Two were under way, and some that begin later may end first. Without turns it would be the last one.
  expect(ended.indexOf('one')).toBeLessThanOrEqual(6);
});
