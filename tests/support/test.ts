/** `test` with the fixtures that most test files need: a stack for the file, sellers and their sockets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { test as base, inject } from 'vitest';
import { connectDb } from '#shared/data/connect.ts';
import { crashable } from './faults.ts';
import { limitMs } from './machine.ts';
import type { NewSeller } from './seller.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './stack.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** `test` with the fixture `stack`: one for all tests of the file, started by the first test that uses it. */
export function testWithStack(options: TestStackOptions = {}) {
  return (
    base
      .extend('stackOptions', { scope: 'file' }, options)
      // The address of the queue's store even if `settings.QUEUE_URL` names a proxy.
      .extend('queueUrl', { scope: 'file' }, inject('queueUrl'))
      .extend('stack', { scope: 'file' }, async ({ stackOptions }, { onCleanup }) => {
        const stack = await startTestStack(stackOptions);
        onCleanup(() => stack.close());
        return stack;
      })
  );
}

/** Like `testWithStack`, with a new `seller` and the socket `window` for each test that uses them. */
export function testWithSeller(options: TestStackOptions = {}, details: NewSeller = {}) {
  return testWithStack(options)
    .extend('seller', ({ stack }) => stack.seller(details))
    .extend('window', async ({ seller }, { onCleanup }) => {
      const window = await seller.openWindow();
      onCleanup(() => window.close());
      return window;
    });
}

/** Like `testWithStack`, with one `seller` for all tests of the file, none of which depends on the seller's state. */
export function testWithSharedSeller(options: TestStackOptions = {}, details: NewSeller = {}) {
  return testWithStack(options).extend('seller', { scope: 'file' }, ({ stack }) => stack.seller(details));
}

/**
 * Like `testWithStack`, with the fixture `url`: the address of a server in a process of its own, which hashes passwords at
 * the product's cost and whose replies the test does not delay.
 */
export function testWithServerProcess() {
  return testWithStack({ workers: 0 }).extend('url', { scope: 'file' }, async ({ stack }) => {
    return (await stack.startServerProcess()).url!;
  });
}

/** A URL of MongoDB whose clients soon give up when no server takes their statements, for tests of what they do then. */
export function impatient(mongodbUrl: string): string {
  const url = new URL(mongodbUrl);
  url.searchParams.set('serverSelectionTimeoutMS', String(limitMs(1_000)));
  return url.href;
}

/** Like `testWithStack`, with proxies in front of MongoDB and the queue: `mongo` and `queue`, for tests that cut them off. */
export function testWithStoreProxies(options: TestStackOptions = {}) {
  return testWithStack(options)
    .extend('mongo', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
      const mongo = await startTcpProxy(impatient(stack.config.mongodbUrl));
      onCleanup(() => mongo.close());
      return mongo;
    })
    .extend('queue', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
      const queue = await startTcpProxy(stack.config.queueUrl);
      onCleanup(() => queue.close());
      return queue;
    });
}

/** Like `testWithStack`, with the fixture `crashableDb`: a second connection, for `withFault`. */
export function testWithCrashableDb(options: TestStackOptions = {}) {
  return testWithStack(options).extend('crashableDb', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const db = await connectDb(stack.config.mongodbUrl);
    onCleanup(() => db.close());
    return crashable(db);
  });
}

/** Makes a temporary folder next to the stack's storage folder; `onCleanup` removes it. @returns its path */
export async function temporaryFolder(
  stack: TestStack,
  onCleanup: (cleanup: () => Promise<void>) => void,
): Promise<string> {
  const folder = await mkdtemp(`${stack.storageFolder}-`);
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
