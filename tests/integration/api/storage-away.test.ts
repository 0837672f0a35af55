/** While the storage folder fails, uploads are refused, and nothing of them is stored or counted. */

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

async function readiness(url: string) {
  const answer = await fetch(`${url}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as object) };
}
const ready = { httpStatus: 200, status: 'ok', database: 'ok', storage: 'ok' };
const unready = { httpStatus: 503, status: 'failed', database: 'ok', storage: 'failed' };

/** Replaces a folder by a file, so that every operation in it fails for any user. */
async function breakFolder(stack: TestStack, name: string): Promise<() => Promise<void>> {
  const path = join(stack.storageFolder, name);
  await mkdir(path, { recursive: true });
  await rename(path, `${path}.whole`);
  await writeFile(path, '');
  return async () => {
    await rm(path);
    await rename(`${path}.whole`, path);
  };
}

async function expectUploadRefused(seller: Seller): Promise<void> {
  const answer = await seller.send();
  expectError(answer, 'STORAGE_UNAVAILABLE');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

test('the folder of uploads fails: 503 with a message, nothing left, and the server is not ready', async ({
  stack,
  seller,
}) => {
  await expect.poll(() => readiness(stack.url), eventually).toMatchObject(ready);
  const repair = await breakFolder(stack, 'incoming');
  try {
    await expect.poll(() => readiness(stack.url), eventually).toMatchObject(unready);
    await expectUploadRefused(seller);
  } finally {
    await repair();
  }
  await expect.poll(() => readiness(stack.url), eventually).toMatchObject(ready);
  await expectNothingLeft(stack, seller.id);
});

test('the folder of photos fails after the photo has arrived: the same', async ({ stack, seller }) => {
  const repair = await breakFolder(stack, 'photo-sets');
  try {
    await expectUploadRefused(seller);
  } finally {
    await repair();
  }
  await expectNothingLeft(stack, seller.id);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
});

test('less free space than the reserve: refused before anything is stored', async ({ stack }) => {
  const { url } = await stack.startServer({ STORAGE_RESERVE_MB: '1000000000' });
  const other = await stack.seller({ url });
  expect(await readiness(url)).toMatchObject(unready);
  await expectUploadRefused(other);
  await expectNothingLeft(stack, other.id);
});

test('the folder of another installation, or the empty mount point of a missing volume: refused until it is back', async ({
  stack,
  seller,
}) => {
  await seller.submit();
  const folder = stack.storageFolder;
  const names = (await readdir(folder)).sort();
  const unmounted = `${folder}.unmounted`;
  await rename(folder, unmounted);
  await mkdir(folder);
  try {
    await expect.poll(() => readiness(stack.url), eventually).toMatchObject(unready);
    await expectUploadRefused(seller);
    // Nothing was created in the mount point, where the volume would hide it.
    expect(await readdir(folder)).toEqual([]);
    const [{ photos }] = (await seller.generations()) as [Awaited<ReturnType<Seller['generation']>>];
    expectError(await seller.request(photos[0]!.url), 'UNAVAILABLE');
  } finally {
    await rm(folder, { recursive: true });
    await rename(unmounted, folder);
  }
  await expect.poll(() => readiness(stack.url), eventually).toMatchObject(ready);
  expect((await readdir(folder)).sort()).toEqual(names);
  await seller.submit();
});
