import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { copyStorage, type MarkedStorage } from './copy.ts';

const open = (folder: string, name: string): MarkedStorage => ({
  storage: openFolderStorage(join(folder, name)),
  marker: markerInFolder(join(folder, name)),
});

test('files that are gone or changed while they are copied are reported, and the copy is not accepted', async () => {
  const folder = await newFolder();
  const [from, to] = [open(folder, 'from'), open(folder, 'to')];
  const [kept, gone, changed] = [1, 2, 3].map((id) => storageKeys.image(`${id}`, 1)) as [
    string,
    string,
    string,
  ];
  for (const key of [kept, changed]) await from.storage.put(key, Buffer.from('an image'));
  await from.marker.create('the marker');
  // As they were when they were listed.
  const listed = { ...from.storage, list: () => files() };
  async function* files() {
    for (const key of [kept, gone]) yield { key, bytes: 8 };
    yield { key: changed, bytes: 5 };
  }
  const report = await copyStorage({ ...from, storage: listed }, to, () => {});
  expect(report).toMatchObject({ copied: 1, same: 0, bytes: 8 });
  expect(report.problems.sort()).toEqual([
    `${gone}: it is gone from FROM`,
    expect.stringMatching(`^${changed}: .*there were not 5 bytes to store$`),
  ]);
  expect(await to.marker.read()).toBeUndefined();
  expect(await to.storage.has(changed)).toBe(false);

  const again = await copyStorage(from, to, () => {});
  expect(again).toEqual({ copied: 1, same: 1, bytes: 16, problems: [], gone: [], extra: [] });
  expect(await to.marker.read()).toBe('the marker');
});
