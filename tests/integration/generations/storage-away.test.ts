/** A worker whose storage folder is full, broken or not mounted: generations wait, and no call is repeated. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { storageKeys } from '#shared/storage/storage.ts';
import { eventually } from '#tests/support/harness.ts';
import {
  blockImage,
  calls,
  expectConsistent,
  noRoom,
  rowOf,
  start,
  submitAndHold,
  testStorageAway,
  unmount,
  waitsForStorage,
} from './storage-away-steps.ts';

const test = testStorageAway();

test('an image that cannot be stored is kept and stored later: one call, and no temporary file is left', async ({
  stack,
  seller,
  window,
}) => {
  await start(stack);
  const id = await submitAndHold(stack, seller);
  const clear = await blockImage(stack, id);
  await stack.images.release();
  expect(await waitsForStorage(window, id)).toMatchObject({ state: 'running' });
  await clear();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  expect(await calls(stack)).toBe(1);
  const names = await readdir(join(stack.storageFolder, 'generations', id));
  expect(names.filter((name) => !/^(photo|preview|image)-[\d-]+\.(png|jpg)$/.test(name))).toEqual([]);
  await expectConsistent(stack, seller, 1);
});

test('a worker without free space does not call the provider: another worker makes the image', async ({
  stack,
  seller,
  window,
}) => {
  const fullWorker = await start(stack, noRoom);
  expect(fullWorker.jobs.isPaused()).toBe(true);
  const { id } = await seller.submit();
  await start(stack);
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  expect(await calls(stack)).toBe(1);
  await expectConsistent(stack, seller, 1);
});

test('a worker whose storage folder disappears hands its jobs back without counting a call', async ({
  stack,
  seller,
  window,
}) => {
  const worker = await start(stack, { WORKER_CONCURRENCY: '1' });
  const first = await submitAndHold(stack, seller);
  const waiting = await Promise.all([seller.submit(), seller.submit()]);
  const mount = await unmount(stack);
  await stack.images.release();
  await waitsForStorage(window, first);
  await expect.poll(() => worker.jobs.isPaused(), eventually).toBe(true);
  for (const { id } of waiting) expect((await rowOf(stack, id)).calls.started).toBe(0);
  await mount();
  for (const id of [first, ...waiting.map((view) => view.id)]) {
    expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  }
  expect(await calls(stack)).toBe(3);
  await expectConsistent(stack, seller, 3);
});

test('a photo that is missing although its folder is the right one fails the generation', async ({
  stack,
  seller,
  window,
}) => {
  const { id } = await seller.submit();
  await rm(join(stack.storageFolder, storageKeys.photo(id, 0, 'jpeg')));
  await start(stack);
  expect(await window.untilEnded(id)).toMatchObject({
    state: 'failed',
    failure: { code: 'PHOTOS_UNREADABLE' },
  });
  expect(await calls(stack)).toBe(0);
  expect((await rowOf(stack, id)).calls).toMatchObject({ under_way: false, lost: 0 });
  await expectConsistent(stack, seller, 0);
});
