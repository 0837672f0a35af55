/** A worker whose storage folder is full, broken or not mounted: generations wait, and no call is repeated. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { paths } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { expectNoStrayFile } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import type { RunningWorker } from '#worker/worker.ts';

const test = testWithSeller({ workers: 0, settings: frequentUpkeep });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  await stack.images.set({ default: { kind: 'ok' } });
});

async function start(stack: TestStack, settings: GivenSettings = {}): Promise<RunningWorker> {
  const worker = await stack.startWorker(settings);
  onTestFinished(() => worker.close());
  return worker;
}

/** A reserve that is larger than the free space of any disk. */
const noRoom: GivenSettings = { STORAGE_RESERVE_MB: '1000000000' };

const rowOf = async (stack: TestStack, id: string): Promise<GenerationRow> =>
  (await stack.models.generations.findById(id).lean())!;
const calls = async (stack: TestStack) => (await stack.images.state()).calls.length;

/** Expects one image used for each one made, an audit without findings, and no file without a row. */
async function expectConsistent(stack: TestStack, seller: Seller, made: number): Promise<void> {
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100 - made, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  await expectNoStrayFile(stack);
}

/** Makes storing an image fail for any user: a folder has the image's name. @returns removes the folder */
async function blockImage(stack: TestStack, id: string): Promise<() => Promise<void>> {
  const path = join(stack.storageFolder, storageKeys.image(id, 1));
  await mkdir(join(path, 'blocked'), { recursive: true });
  return () => rm(path, { recursive: true });
}

/** Simulates a missing mount: an empty folder replaces the storage folder. @returns mounts the volume again */
async function unmount(stack: TestStack): Promise<() => Promise<void>> {
  const folder = stack.storageFolder;
  await rename(folder, `${folder}.volume`);
  await mkdir(folder);
  return async () => {
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(`${folder}.volume`, folder);
  };
}

/** Submits, and resolves when the provider has received the call; its reply waits for a release. */
async function submitAndHold(stack: TestStack, seller: Seller): Promise<string> {
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.set({ default: { kind: 'ok' } });
  return id;
}

const waitsForStorage = (window: SellerWindow, id: string) =>
  window.until(id, (view) => view.progress?.waitingFor === 'storage');

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
  const cancelled = await seller.request(paths.cancelGeneration(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ useImage: true }),
  });
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  await expect.poll(() => worker.context.underWay.size, eventually).toBe(0);
  expect(await calls(stack)).toBe(1);
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
