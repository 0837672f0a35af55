/** `test` with what most test files need: a Packshot of the file's own, sellers, and their open windows. */
import { mkdtemp, rm } from 'node:fs/promises';
import { test as base, inject } from 'vitest';
import { connectDb } from '#shared/data/connect.ts';
import { crashable } from './faults.ts';
import type { NewSeller } from './seller.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './stack.ts';

/** `test` whose fixture `stack` is one Packshot for all tests of the file, started by the first test that asks for it. */
export function testWithStack(options: TestStackOptions = {}) {
  return (
    base
      .extend('stackOptions', { scope: 'file' }, options)
      // The queue's store itself, for proxies that the stack's QUEUE_URL names instead.
      .extend('queueUrl', { scope: 'file' }, inject('queueUrl'))
      .extend('stack', { scope: 'file' }, async ({ stackOptions }, { onCleanup }) => {
        const stack = await startTestStack(stackOptions);
        onCleanup(() => stack.close());
        return stack;
      })
  );
}

/** As `testWithStack`, and each test that asks for them has a seller of its own and that seller's open window. */
export function testWithSeller(options: TestStackOptions = {}, details: NewSeller = {}) {
  return testWithStack(options)
    .extend('seller', ({ stack }) => stack.seller(details))
    .extend('window', async ({ seller }, { onCleanup }) => {
      const window = await seller.openWindow();
      onCleanup(() => window.close());
      return window;
    });
}

/** As `testWithStack`, with one seller for all tests of the file: for tests that change nothing another one reads. */
export function testWithSharedSeller(options: TestStackOptions = {}, details: NewSeller = {}) {
  return testWithStack(options).extend('seller', { scope: 'file' }, ({ stack }) => stack.seller(details));
}

/** As `testWithStack`, with a connection to the stack's database of a process that may die; see `withFault`. */
export function testWithCrashableDb(options: TestStackOptions = {}) {
  return testWithStack(options).extend('crashableDb', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const db = await connectDb(stack.config.mongodbUrl);
    onCleanup(() => db.close());
    return crashable(db);
  });
}

/** Makes a folder beside the stack's, which goes away with the fixture that asked for it. @returns its path */
export async function temporaryFolder(
  stack: TestStack,
  onCleanup: (cleanup: () => Promise<void>) => void,
): Promise<string> {
  const folder = await mkdtemp(`${stack.config.storageFolder}-`);
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
