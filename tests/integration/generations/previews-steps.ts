/** Generations that have a preview. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

export const previewFiles = async (stack: TestStack, id: string) =>
  (await readdir(join(stack.storageFolder, 'generations', id))).filter((name) => name.startsWith('preview'));
