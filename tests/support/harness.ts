/** A seller with an open window and workers that a test may kill, on one stack for a test file. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { GenerationView } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Seller, SellerWindow } from './seller.ts';
import { type GivenSettings, startTestStack, type TestStack } from './stack.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

type WorkerProcess = Awaited<ReturnType<TestStack['startWorkerProcess']>>;

/** In the packet of a decision that an image was made, and in no other. */
export const decisionText = 'milliseconds';

/** Patience for what a loaded machine does late. */
export const eventually = { timeout: 15_000, interval: 50 };

/** What {@link setUpHarness} gives; each test has a seller of its own and no worker until it starts one. */
export interface Harness {
  stack: TestStack;
  /** Before the MongoDB of watched workers. */
  mongo: TcpProxy;
  seller: Seller;
  window: SellerWindow;
  startWorker(settings?: GivenSettings): Promise<WorkerProcess>;
  /** Starts a worker that reaches MongoDB through the proxy. */
  startWatchedWorker(): Promise<WorkerProcess>;
  row(id: string): Promise<GenerationRow>;
  /** Holds the end that the seller was shown against balance, ledger and provider calls. */
  expectEnd(view: GenerationView, end: { state: 'succeeded' | 'failed'; calls: number }): Promise<void>;
  /** The seller's images left come to this, and nothing is unexplained. */
  expectLeft(images: number): Promise<void>;
}

/** Sets up and takes down a crew with the hooks of the calling test file. */
export function setUpHarness(): Harness {
  const running: WorkerProcess[] = [];
  const methods: Partial<Harness> = {
    async startWorker(settings = {}) {
      const worker = await crew.stack.startWorkerProcess(settings);
      running.push(worker);
      return worker;
    },
    startWatchedWorker: () => crew.startWorker({ MONGODB_URL: crew.mongo.url }),
    row: async (id) => (await crew.stack.models.generations.findById(id).lean())!,
    async expectEnd(view, end) {
      expect(view).toMatchObject({ state: end.state });
      await crew.expectLeft(end.state === 'succeeded' ? 99 : 100);
      expect((await crew.stack.images.state()).calls).toHaveLength(end.calls);
    },
    async expectLeft(images) {
      await expect
        .poll(async () => (await crew.seller.me()).subscription, eventually)
        .toMatchObject({ generationsLeft: images, generationsHeld: 0 });
      await expect.poll(() => crew.stack.audit(), eventually).toEqual([]);
    },
  };
  // The rest comes with the hooks.
  const crew = methods as Harness;
  beforeAll(async () => {
    crew.stack = await startTestStack({ workers: 0 });
    crew.mongo = await startTcpProxy(crew.stack.config.mongodbUrl);
  });
  beforeEach(async () => {
    await crew.stack.images.reset();
    crew.seller = await crew.stack.seller();
    crew.window = await crew.seller.openWindow();
  });
  afterEach(async () => {
    crew.window.close();
    await Promise.all(running.splice(0).map((worker) => worker.kill()));
  });
  afterAll(async () => {
    await crew.mongo.close();
    await crew.stack.close();
  });
  return crew;
}
