/** `test` for tests that start and kill workers. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type GenerationView, hasEnded } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { limitMs } from './machine.ts';
import type { ProgramProcess } from './program.ts';
import type { Seller } from './seller.ts';
import { frequentUpkeep, type TestStack } from './stack.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { testWithSeller } from './test.ts';

/** Only the update that stores a generation's outcome contains this text, so a proxy can hold exactly that packet. */
export const decisionText = 'milliseconds';

/** Options for `expect.poll`: a loaded machine may need seconds for what takes milliseconds on an idle one. */
export const eventually = { timeout: limitMs(30_000), interval: 150 };

/** What the `harness` fixture gives to each test. No worker runs until the test starts one. */
export interface Harness {
  stack: TestStack;
  /** Stands between the workers of `startProxiedWorker` and MongoDB. */
  mongo: TcpProxy;
  seller: Seller;
  /** Starts a worker in the process of the test, which costs less; it is closed after the test. */
  startWorker(settings?: GivenSettings): Promise<void>;
  /** Starts a worker as a process of its own, which the test may kill or stop; it is killed after the test. */
  startWorkerProcess(settings?: GivenSettings): Promise<ProgramProcess>;
  /** Settings of a worker that reaches MongoDB through the proxy. */
  proxied: GivenSettings;
  row(id: string): Promise<GenerationRow>;
  /** Polls until the generation has ended. A worker that dies may take its last events with it, so a socket may not show it. */
  untilEnded(id: string): Promise<GenerationView>;
  /** Expects the seller's view of the generation, the balance, the ledger and the provider's calls to agree. */
  expectEnd(view: GenerationView, end: { state: 'succeeded' | 'failed'; calls: number }): Promise<void>;
  /** Expects so many images left, none held, and an audit without findings. */
  expectLeft(images: number): Promise<void>;
  /** Expects that a worker has handed the seller's second generation back, and that another worker makes it with one more call. */
  expectHandedBack(id: string): Promise<void>;
}

/** Expects a stored folder for each generation that has an image, none without a generation, and the photos of each set. */
export async function expectFolders(stack: TestStack): Promise<void> {
  const rows = await stack.models.generations.find().lean();
  const [folders, photoSets] = await Promise.all(
    ['generations', 'photo-sets'].map((name) => readdir(join(stack.storageFolder, name)).catch(() => [])),
  );
  expect(rows.map(({ _id }) => _id)).toEqual(expect.arrayContaining(folders!));
  const made = rows.filter(({ state }) => state === 'succeeded');
  expect(folders).toEqual(expect.arrayContaining(made.map(({ _id }) => _id)));
  expect(photoSets!.sort()).toEqual([...new Set(rows.map((row) => row.photo_set))].sort());
}

/** `test` with the fixture `harness`: one stack without workers for the file, and a new seller for each test. */
export function testWithHarness() {
  return testWithSeller({ workers: 0, settings: frequentUpkeep })
    .extend('mongo', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
      const proxy = await startTcpProxy(stack.config.mongodbUrl);
      onCleanup(() => proxy.close());
      return proxy;
    })
    .extend('harness', async ({ stack, mongo, seller }, { onCleanup }): Promise<Harness> => {
      await stack.images.reset();
      const cleanups: (() => Promise<void>)[] = [];
      onCleanup(async () => void (await Promise.all(cleanups.map((cleanup) => cleanup()))));
      async function untilEnded(id: string) {
        let view = await seller.generation(id);
        await expect
          .poll(
            async () => {
              view = await seller.generation(id);
              return hasEnded(view.state) || view;
            },
            { timeout: limitMs(60_000), interval: 150 },
          )
          .toBe(true);
        return view;
      }
      async function expectLeft(images: number) {
        await expect
          .poll(async () => (await seller.me()).subscription, eventually)
          .toMatchObject({ generationsLeft: images, generationsHeld: 0 });
        await expect.poll(() => stack.audit(), eventually).toEqual([]);
      }
      const row = async (id: string) => (await stack.models.generations.findById(id).lean())!;
      async function startWorker(settings?: GivenSettings) {
        const worker = await stack.startWorker(settings);
        cleanups.push(() => worker.close());
      }
      return {
        stack,
        mongo,
        seller,
        startWorker,
        async startWorkerProcess(settings) {
          const worker = await stack.startWorkerProcess(settings);
          cleanups.push(() => worker.kill());
          return worker;
        },
        proxied: { MONGODB_URL: mongo.url },
        untilEnded,
        row,
        async expectEnd(view, end) {
          expect(view).toMatchObject({ state: end.state });
          await expectLeft(end.state === 'succeeded' ? 99 : 100);
          expect((await stack.images.state()).calls).toHaveLength(end.calls);
        },
        expectLeft,
        async expectHandedBack(id) {
          expect(await row(id)).toMatchObject({
            state: 'running',
            progress: { stage: 'waiting' },
            calls: { under_way: false, lost: 0 },
          });
          await startWorker();
          expect((await untilEnded(id)).state).toBe('succeeded');
          expect((await row(id)).calls).toMatchObject({ started: 2, lost: 0 });
          await expectLeft(98);
        },
      };
    });
}
