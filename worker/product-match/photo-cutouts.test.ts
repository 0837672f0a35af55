/** A photo is cut out once, whoever needs it and whenever; what is kept of it gives the same match. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { openMatcher, tinPhoto } from '#tests/support/matcher.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { createPhotoCutouts } from './photo-cutouts.ts';

const key = storageKeys.photo('1', 0, 'png');
const log = createLog({ logLevel: 'silent' }, 'worker');

/** A storage with a photo, and what cuts it out and counts how often. */
async function openCounted() {
  const storage = openFolderStorage(await newFolder());
  await storage.put(key, await readFile(tinPhoto.path));
  const matcher = openMatcher();
  const counts = { cut: 0, stored: 0 };
  /** How many of the next cuts fail. */
  const failing = { cuts: 0 };
  const counted = {
    cutOut: async (photo: Parameters<typeof matcher.cutOut>[0]) => {
      counts.cut += 1;
      if (counts.cut <= failing.cuts) throw new Error('the process was killed');
      return matcher.cutOut(photo);
    },
  };
  const stored = async () => {
    counts.stored += 1;
  };
  /** As another worker, or the same one after it has been started again, sees it. */
  const open = () => createPhotoCutouts({ storage, log }, counted);
  return { storage, matcher, counts, failing, stored, open };
}

test('a photo that takes of a set, other workers and later images need is cut out once', async () => {
  const { storage, counts, stored, open } = await openCounted();
  const cutouts = open();
  const [first, second] = await Promise.all([cutouts.of(key, stored), cutouts.of(key, stored)]);
  const again = await cutouts.of(key, stored);
  const elsewhere = await open().of(key, stored);
  expect(counts).toEqual({ cut: 1, stored: 1 });
  const kept = await storage.get(storageKeys.cutout(key));
  for (const each of [first, second, again, elsewhere]) expect(Buffer.from(each!)).toEqual(kept);
});

test('what is kept of a photo gives the match that the photo itself gives', async () => {
  const { matcher, stored, open } = await openCounted();
  const cutout = await open().of(key, stored);
  // By another name, the process does not remember the product.
  const kept = { key: 'by what is kept', path: tinPhoto.path };
  const match = await matcher.match(kept, tinPhoto.path, cutout);
  expect(match).toMatchObject({ level: 'high' });
  expect(match).toEqual(await matcher.match(tinPhoto, tinPhoto.path));
});

test('those who waited for a cutout that failed try once more, together', async () => {
  const { counts, failing, stored, open } = await openCounted();
  failing.cuts = 1;
  const cutouts = open();
  const takes = Array.from({ length: 3 }, () => cutouts.of(key, stored));
  const ended = await Promise.allSettled(takes);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(counts).toEqual({ cut: 2, stored: 1 });
});

test('a kept cutout that is damaged, or of another side, counts as none', async () => {
  const matcher = openMatcher();
  const otherSide = await sharp({ create: { width: 320, height: 320, channels: 3, background: 'white' } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
  const match = await matcher.match(tinPhoto, tinPhoto.path);
  for (const [name, cutout] of [
    ['damaged', Buffer.from('no picture')],
    ['of another side', otherSide],
  ] as const) {
    const photo = { key: name, path: tinPhoto.path };
    expect(await matcher.match(photo, tinPhoto.path, cutout), name).toEqual(match);
  }
});

test('it ends with its photo, and a photo that is gone has none', async () => {
  const { storage, counts, stored, open } = await openCounted();
  await open().of(key, stored);
  await storage.removePhotoSet('1');
  expect(await storage.has(storageKeys.cutout(key))).toBe(false);
  expect(await open().of(key, stored)).toBeUndefined();
  expect(counts).toEqual({ cut: 1, stored: 1 });
});
