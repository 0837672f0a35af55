/** A worker whose storage folder is full, broken or not mounted: generations wait, and no call is repeated. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { incomingFolder } from '#shared/storage/folder-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { expectNoStrayFile } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import type { RunningWorker } from '#worker/worker.ts';

/** `test` with a provider that answers and frequent upkeep, and a new seller for each test. */
export function testStorageAway() {
  const test = testWithSeller({ workers: 0, settings: frequentUpkeep });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
    await stack.images.set({ default: { kind: 'ok' } });
  });
  return test;
}

export async function start(stack: TestStack, settings: GivenSettings = {}): Promise<RunningWorker> {
  const worker = await stack.startWorker(settings);
  onTestFinished(() => worker.close());
  return worker;
}

/** A reserve that is larger than the free space of any disk. */
export const noRoom: GivenSettings = { STORAGE_RESERVE_MB: '1000000000' };

export const rowOf = async (stack: TestStack, id: string): Promise<GenerationRow> =>
  (await stack.models.generations.findById(id).lean())!;

export const calls = async (stack: TestStack) => (await stack.images.state()).calls.length;

/** Expects one image used for each one made, an audit without findings, and no file without a row. */
export async function expectConsistent(stack: TestStack, seller: Seller, made: number): Promise<void> {
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100 - made, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  await expectNoStrayFile(stack);
}

/** Makes storing an image fail for any user: a folder has the image's name. @returns removes the folder */
export async function blockImage(stack: TestStack, id: string): Promise<() => Promise<void>> {
  const path = join(stack.storageFolder, storageKeys.image(id, 1));
  await mkdir(join(path, 'blocked'), { recursive: true });
  return () => rm(path, { recursive: true });
}

/** Simulates a missing mount: an empty folder replaces the storage folder. @returns mounts the volume again */
export async function unmount(stack: TestStack): Promise<() => Promise<void>> {
  const folder = stack.storageFolder;
  const volume = `${folder}.volume`;
  await rename(folder, volume);
  // A check of the folder that was cut off leaves its file, which upkeep removes later.
  await rm(incomingFolder(volume), { recursive: true, force: true });
  await mkdir(folder);
  return async () => {
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(volume, folder);
  };
}

/** Submits, and resolves when the provider has received the call; its reply waits for a release. */
export async function submitAndHold(stack: TestStack, seller: Seller): Promise<string> {
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.set({ default: { kind: 'ok' } });
  return id;
}

export const waitsForStorage = (window: SellerWindow, id: string) =>
  window.until(id, (view) => view.progress?.waitingFor === 'storage');
