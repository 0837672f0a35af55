/** The other moments at which a storage folder fails, and how long a generation waits for it. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { storageKeys } from '#shared/storage/storage.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
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

test('a worker that is closed with an image that it could not store hands the generation back', async ({
  stack,
  seller,
  window,
}) => {
  const worker = await start(stack);
  const id = await submitAndHold(stack, seller);
  const clear = await blockImage(stack, id);
  await stack.images.release();
  await waitsForStorage(window, id);
  await worker.close();
  const row = await rowOf(stack, id);
  expect(row).toMatchObject({ state: 'running', progress: { stage: 'waiting', waiting_for: 'worker' } });
  expect(row.calls).toMatchObject({ started: 1, lost: 0, server_errors: 0, under_way: false });
  await clear();
  await start(stack);
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  await expectConsistent(stack, seller, 1);
});

test('a cancel ends the wait for the storage folder', async ({ stack, seller, window }) => {
  const worker = await start(stack);
  const id = await submitAndHold(stack, seller);
  await blockImage(stack, id);
  await stack.images.release();
  await waitsForStorage(window, id);
  // A preview is visible, so the cancel uses the image.
  expect(await seller.cancel(id, true)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  await expect.poll(() => worker.context.underWay.size, eventually).toBe(0);
  expect(await calls(stack)).toBe(1);
});

test('a worker that starts without its mount fails no generation, and makes them when the mount is back', async ({
  stack,
  seller,
  window,
}) => {
  const submitted = await Promise.all([seller.submit(), seller.submit(), seller.submit()]);
  const mount = await unmount(stack);
  const worker = await start(stack);
  expect(worker.jobs.isPaused()).toBe(true);
  // A job that it had already taken is handed back, not failed: the photos are missing because the folder is.
  worker.jobs.resume();
  const handedBack = await window.until(submitted[0]!.id, (view) => view.progress?.stage === 'waiting');
  expect(handedBack.progress).toMatchObject({ waitingFor: 'worker' });
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(await calls(stack)).toBe(0);
  await mount();
  for (const { id } of submitted) {
    expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  }
  expect(await calls(stack)).toBe(3);
  await expectConsistent(stack, seller, 3);
});

test('a photo that cannot be read for a while: its generation waits, and no call is counted', async ({
  stack,
  seller,
  window,
}) => {
  const { id } = await seller.submit();
  const photo = join(stack.storageFolder, storageKeys.photo(id, 0, 'jpeg'));
  await rename(photo, `${photo}.readable`);
  await mkdir(photo);
  await start(stack);
  expect((await window.until(id, (view) => view.progress?.stage === 'waiting')).progress).toMatchObject({
    waitingFor: 'worker',
  });
  expect((await rowOf(stack, id)).calls).toMatchObject({ started: 0, under_way: false });
  await rm(photo, { recursive: true });
  await rename(`${photo}.readable`, photo);
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  expect((await rowOf(stack, id)).calls).toMatchObject({ started: 1, lost: 0 });
  expect(await calls(stack)).toBe(1);
  await expectConsistent(stack, seller, 1);
});

test('a generation that has waited too long for the folder fails and uses no image', async ({
  stack,
  seller,
  window,
}) => {
  const { id } = await seller.submit();
  await start(stack, { ...noRoom, PROVIDER_ACCOUNT_WAIT_MS: String(limitMs(1_000)) });
  expect(await window.untilEnded(id)).toMatchObject({
    state: 'failed',
    failure: { code: 'GENERATION_FAILED' },
  });
  expect(await calls(stack)).toBe(0);
  await expectConsistent(stack, seller, 0);
});
