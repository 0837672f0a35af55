/** The order of the queue: plans that go first do not starve the others, and sellers of one plan take turns. */
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import {
  claimsPerPromotion,
  promotedPriority,
  rangeOf,
  turnsPerRebase,
} from '#shared/platform/priorities.ts';
import { addJob, jobId } from '#shared/platform/queue.ts';
import { atOnce, never, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { rebaseTurns } from '#worker/flow/fair-order.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { scenesOf, step, stopWorker, testFairOrder } from './fair-order-steps.ts';

const test = testFairOrder();

const laneOf = (stack: TestStack) => stack.models.queueLanes.findById('single').lean();

test('with enterprise always busy, a freelance image waits for a bounded number of calls', async ({
  stack,
}) => {
  const slots = 2;
  const [enterprise, freelance] = [
    await stack.seller({ plan: 'enterprise' }),
    await stack.seller({ plan: 'freelance' }),
  ];
  // More than can be made before it.
  for (let request = 0; request < 2; request += 1) await enterprise.submitSet(4, { prompt: 'enterprise' });
  const { id } = await freelance.submit({ prompt: 'freelance' });
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: String(slots) });
  await stack.images.waitFor({ active: slots });
  for (let calls = slots; calls <= claimsPerPromotion; calls += slots) {
    // Claims are counted beside the calls; the last one of these has the image promoted.
    const passed = calls % claimsPerPromotion;
    await expect.poll(() => laneOf(stack), eventually).toMatchObject({ passed });
    if (passed === 0) {
      const job = () => stack.server.context.queue.getJob(jobId({ _id: id, fence: 0 }));
      await expect.poll(async () => (await job())?.priority, eventually).toBe(promotedPriority('single'));
    }
    await step(stack, calls + slots, slots);
  }
  const scenes = await scenesOf(stack);
  expect(scenes.slice(0, claimsPerPromotion)).toEqual(Array(claimsPerPromotion).fill('enterprise'));
  expect(scenes.slice(claimsPerPromotion).toSorted()).toEqual(['enterprise', 'freelance']);
  await stopWorker(stack, worker);
});

test("beside a seller with many images, another one's single image is next but one", async ({ stack }) => {
  const [many, one] = await Promise.all([stack.seller(), stack.seller()]);
  for (let request = 0; request < 2; request += 1) await many.submitSet(4, { prompt: 'many' });
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  /** Waits for this call, and until its turn is the round of the queue. */
  const untilRound = async (calls: number, round: number) => {
    await stack.images.waitFor({ calls, active: 1 });
    await expect.poll(() => laneOf(stack), eventually).toMatchObject({ standard_round: round });
  };
  await untilRound(1, 1);
  await stack.images.release();
  await untilRound(2, 2);
  const { id } = await one.submit({ prompt: 'one' });
  await expect.poll(async () => (await one.generation(id)).position, eventually).toBe(2);
  await stack.images.release();
  await untilRound(3, 3);
  await step(stack, 4);
  expect(await scenesOf(stack)).toEqual(['many', 'many', 'many', 'one']);

  // Nor do newcomers hold up the seller with many: its next image goes with theirs.
  for (let newcomer = 0; newcomer < 2; newcomer += 1) {
    await (await stack.seller()).submit({ prompt: 'newcomer' });
  }
  for (let calls = 5; calls <= 7; calls += 1) await step(stack, calls);
  expect((await scenesOf(stack)).slice(4).toSorted()).toEqual(['many', 'newcomer', 'newcomer']);
  await stopWorker(stack, worker);
});

test('an image that was handed back goes before all that wait', async ({ stack }) => {
  const [freelance, enterprise] = await Promise.all([
    stack.seller({ plan: 'freelance' }),
    stack.seller({ plan: 'enterprise' }),
  ]);
  // Refused once: then its job waits for a moment, and comes back.
  await stack.images.set({
    behaviours: [{ kind: 'error', status: 500, code: 'server_error', type: 'server_error' }],
    default: { kind: 'hold' },
  });
  const { id } = await freelance.submit({ prompt: 'freelance' });
  const worker = await stack.startWorker({
    WORKER_CONCURRENCY: '1',
    PROVIDER_BACKOFF_MS: String(limitMs(300)),
  });
  await stack.images.waitFor({ calls: 1 });
  await enterprise.submitSet(3, { prompt: 'enterprise' });
  const job = () => stack.server.context.queue.getJob(jobId({ _id: id, fence: 0 }));
  await expect.poll(async () => (await job())?.priority, eventually).toBe(promotedPriority('single'));
  // One of them may be claimed while the image waits for its retry.
  const waiting = await stack.models.generations.find({ state: 'queued', prompt: 'enterprise' }).lean();
  expect(waiting.length).toBeGreaterThanOrEqual(2);
  for (const { priority } of waiting) expect(promotedPriority('single')).toBeLessThan(priority);
  await stopWorker(stack, worker);
});

test('a job that is added again for an image that was claimed goes before all that wait', async ({
  stack,
}) => {
  const { queue } = stack.server.context;
  for (const priority of [rangeOf('single', 'standard').first + 7, rangeOf('batch', 'first').first]) {
    const row = { _id: newId(), fence: 2, priority };
    await addJob(queue, row);
    const lane = priority > 1_000_000 ? 'batch' : 'single';
    expect((await queue.getJob(jobId(row)))!.priority).toBe(promotedPriority(lane));
  }
});

test('turns are lowered together before they reach the end of their band, and jobs follow', async ({
  stack,
}) => {
  const seller = await stack.seller({ plan: 'freelance' });
  const round = turnsPerRebase + 3;
  await stack.models.queueLanes.create({ _id: 'single', first_round: 7, standard_round: round, passed: 0 });
  const images = await seller.submitSet(3);
  const context = workerContext(stack);
  const turns = async () =>
    (await stack.models.generations.find().sort({ _id: 1 }).lean()).map(
      ({ priority }) => priority - rangeOf('single', 'standard').first,
    );
  expect(await turns()).toEqual([round + 1, round + 2, round + 3]);
  // One round and three images.
  expect(await rebaseTurns(context)).toBe(4);
  expect(await turns()).toEqual([4, 5, 6]);
  expect(await rebaseTurns(context)).toBe(0);
  expect(await stack.models.queueLanes.findById('single').lean()).toMatchObject({
    first_round: 7,
    standard_round: 3,
  });
  await runUpkeep(context, { ...never, jobMs: atOnce.jobMs });
  for (const { id } of images) {
    const row = (await stack.models.generations.findById(id).lean())!;
    expect((await context.queue.getJob(jobId(row)))!.priority).toBe(row.priority);
  }
});
