/** Tests of the queue's order step the image provider: each call is held until the test has seen what it is about. */
import { expect } from 'vitest';
import type { PlanId } from '#contract';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { claimsPerPromotion } from '#shared/platform/priorities.ts';
import { jobId } from '#shared/platform/queue.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import type { RunningWorker } from '#worker/worker.ts';

/** `test` on an empty queue, with a provider that holds each call. */
export function testFairOrder() {
  const test = testWithStack({ workers: 0 });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
    await Promise.all([stack.models.generations.deleteMany(), stack.models.queueLanes.deleteMany()]);
    await stack.server.context.queue.drain(true);
    await stack.images.set({ default: { kind: 'hold' } });
  });
  return test;
}

/** What the provider was asked for, in this order. */
export async function scenesOf(stack: TestStack): Promise<string[]> {
  return (await stack.images.state()).calls.map(describedScene);
}

/** Answers the held calls, and resolves when so many calls have begun in all and `active` of them are held. */
export async function step(stack: TestStack, calls: number, active = 1): Promise<void> {
  await stack.images.release();
  await stack.images.waitFor({ calls, active });
}

/** Ends a test: what waits is not made. */
export async function stopWorker(stack: TestStack, worker: RunningWorker): Promise<void> {
  await stack.server.context.queue.drain(true);
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  await worker.close();
}

/** Submits so many images in a random order of sellers, and expects them to be made in the order of their positions. */
export async function expectPromisedOrder(
  stack: TestStack,
  { seed, plans, images }: { seed: number; plans: readonly PlanId[]; images: number },
): Promise<void> {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const sellers: Seller[] = [];
  for (const plan of plans) sellers.push(await stack.seller({ plan }));
  // Before the images: the order that is cached when they are submitted must have it.
  const passed = random(claimsPerPromotion);
  await stack.models.queueLanes.create({ _id: 'single', first_round: 0, standard_round: 0, passed });
  for (let image = 0; image < images; image += 1) {
    await sellers[random(sellers.length)]!.submit({ prompt: `image ${image}` });
  }

  /** The images that wait, by their positions. */
  const inLine = async () => {
    const rows = await stack.models.generations.find({ state: 'queued' }).lean();
    const placed = await Promise.all(
      rows.map(async (row) => ({ row, position: await queuePosition(stack.db, row) })),
    );
    placed.sort((left, right) => left.position! - right.position!);
    return placed;
  };
  const prompts = (placed: readonly { row: GenerationRow }[]) => placed.map(({ row }) => row.prompt);
  const promised = prompts(await inLine());
  expect(promised).toHaveLength(images);

  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  for (let calls = 1; calls <= images; calls += 1) {
    await stack.images.waitFor({ calls, active: 1 });
    const left = promised.slice(calls);
    // Claims are counted beside the call, and positions come from an order that is cached for a moment.
    await expect
      .poll(async () => {
        const placed = await inLine();
        const next = placed[0]?.row;
        const job = next && (await stack.server.context.queue.getJob(jobId(next)));
        return {
          next: prompts(placed),
          positions: placed.map(({ position }) => position),
          isJobMoved: job?.priority === next?.priority,
        };
      }, eventually)
      .toEqual({ next: left, positions: left.map((_, index) => index + 1), isJobMoved: true });
    await stack.images.release();
  }
  expect(await scenesOf(stack), `seed ${seed}`).toEqual(promised);
  await stopWorker(stack, worker);
}
