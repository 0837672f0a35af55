/** Generations that have a preview. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { paths } from '#contract';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` with a new seller for each test, and a worker for each that uses it. */
export function testPreviews() {
  const test = testWithSeller({ workers: 0 }).extend('worker', async ({ stack }, { onCleanup }) => {
    const worker = await stack.startWorker();
    onCleanup(() => worker.close());
    return worker;
  });
  test.beforeEach(({ stack }) => stack.images.reset());

  return test;
}

export const get = (stack: TestStack, seller: Seller, url: string) =>
  fetch(stack.url + url, { headers: { authorization: `Bearer ${seller.token}` } });

export const cancel = (seller: Seller, id: string) =>
  seller.request(paths.cancelGeneration(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ useImage: true }),
  });

export const previewFiles = async (stack: TestStack, id: string) =>
  (await readdir(join(stack.storageFolder, 'generations', id))).filter((name) => name.startsWith('preview'));
