/** What sellers do with their generations afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { paths, type RemovedGeneration } from '#contract';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';

/** `test` with a connection for faults, and a new seller for each test. */
export function testLibrary() {
  const test = testWithCrashableDb().extend('seller', ({ stack }) => stack.seller());
  test.beforeEach(({ stack }) => stack.images.reset());

  return test;
}

export const remove = (seller: Seller, id: string) =>
  seller.request<RemovedGeneration>(paths.generation(id), { method: 'DELETE' });

export const stored = ({ storageFolder }: TestStack, folder: string) =>
  existsSync(join(storageFolder, folder));
