/** What sellers do with their generations afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GenerationView, paths, type RemovedGeneration } from '#contract';
import { insertImage } from '#tests/support/finished-images.ts';
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

/** A finished image. @param form fields of its request */
export async function newImage(
  stack: TestStack,
  seller: Seller,
  form: Record<string, string> = {},
): Promise<GenerationView> {
  return seller.generation((await insertImage(stack, seller, { form }))._id);
}

export const stored = ({ storageFolder }: TestStack, folder: string) =>
  existsSync(join(storageFolder, folder));
