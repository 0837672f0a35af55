/** The order of the queue: plans that go first do not starve the others, and sellers of one plan take turns. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import {
  claimsPerPromotion,
  promotedPriority,
  rangeOf,
  turnsPerRebase,
} from '#shared/platform/priorities.ts';
import { addJob, jobId } from '#shared/platform/queue.ts';
import { atOnce, never, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { rebaseTurns } from '#worker/fair-order.ts';
import { reconcile } from '#worker/upkeep.ts';

const seed = randomInt(2 ** 31);
console.log(`fair-order.test.ts: seed ${seed}`);

const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  await Promise.all([stack.models.generations.deleteMany(), stack.models.queueLanes.deleteMany()]);
  await stack.server.context.queue.drain(true);
  await stack.images.set({ default: { kind: 'hold' } });
});

const scenesOf = async (stack: TestStack) => (await stack.images.state()).calls.map(describedScene);

/** Ends a test: all held calls and all that wait are made. */
async function finish(stack: TestStack): Promise<void> {
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  await expect
    .poll(() => stack.models.generations.countDocuments({ state: { $ne: 'succeeded' } }), eventually)
    .toBe(0);
}

test('with enterprise always busy, a freelance image waits for a bounded number of calls', {
  timeout: 120_000,
}, async ({ stack }) => {
  const slots = 2;
  const bound = claimsPerPromotion + slots;
  const busy = await Promise.all(Array.from({ length: 3 }, () => stack.seller({ plan: 'enterprise' })));
  const freelance = await stack.seller({ plan: 'freelance' });
  const makeBusy = () => Promise.all(busy.map((seller) => seller.submit({ prompt: 'enterprise' })));
  for (let round = 0; round < 3; round += 1) await makeBusy();
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: String(slots) });
  await stack.images.waitFor({ active: slots });

  const waits: number[] = [];
  for (let image = 0; image < 4; image += 1) {
    const prompt = `freelance ${image}`;
    const begun = (await scenesOf(stack)).length;
    await freelance.submit({ prompt });
    for (let calls = begun; !(await scenesOf(stack)).includes(prompt); calls += slots) {
      expect(calls - begun, 'calls without the freelance image').toBeLessThanOrEqual(bound + slots);
      await makeBusy();
      await stack.images.release();
      await stack.images.waitFor({ calls: calls + slots, active: slots });
    }
    waits.push((await scenesOf(stack)).indexOf(prompt) - begun);
    // It really was busy all the time.
    expect(await stack.models.generations.countDocuments({ state: 'queued' })).toBeGreaterThan(slots);
  }
  console.log(`calls that began before the freelance image: ${waits.join(', ')}; bound ${bound}`);
  expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
  // Enterprise goes first: most calls are theirs.
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(claimsPerPromotion - slots);
  await finish(stack);
  await worker.close();
});

test("beside a seller with 50 images, another one's single image is next but one", async ({ stack }) => {
  const [many, one] = await Promise.all([stack.seller(), stack.seller()]);
  for (let image = 0; image < 50; image += 1) await many.submit({ prompt: `many ${image}` });
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  for (let calls = 1; calls <= 5; calls += 1) {
    await stack.images.waitFor({ calls, active: 1 });
    if (calls < 5) await stack.images.release();
  }
  await expect
    .poll(async () => (await stack.models.queueLanes.findById('single').lean())?.standard_round, eventually)
    .toBe(5);
  const { id } = await one.submit({ prompt: 'one' });
  expect((await one.generation(id)).position).toBe(2);
  await stack.images.release();
  await stack.images.waitFor({ calls: 6, active: 1 });
  await stack.images.release();
  await stack.images.waitFor({ calls: 7, active: 1 });
  expect((await scenesOf(stack)).slice(5)).toEqual(['many 5', 'one']);

  // Nor do newcomers hold up the seller with many: its next image goes before most of them.
  const newcomers = await Promise.all(Array.from({ length: 4 }, () => stack.seller()));
  for (const newcomer of newcomers) await newcomer.submit({ prompt: 'newcomer' });
  for (let calls = 8; calls <= 12; calls += 1) {
    await stack.images.release();
    await stack.images.waitFor({ calls, active: 1 });
  }
  expect((await scenesOf(stack)).slice(7).toSorted()).toEqual([
    'many 6',
    ...Array.from({ length: 4 }, () => 'newcomer'),
  ]);
  await finish(stack);
  await worker.close();
});

test('the positions that sellers see are the order in which images are made', {
  timeout: 120_000,
}, async ({ stack }) => {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const sellers: Seller[] = [];
  for (const plan of ['enterprise', 'freelance', 'enterprise', 'freelance'] as const) {
    sellers.push(await stack.seller({ plan }));
  }
  // Before the images: the order that is cached when they are submitted must have it.
  const passed = random(claimsPerPromotion);
  await stack.models.queueLanes.create({ _id: 'single', first_round: 0, standard_round: 0, passed });
  for (let image = 0; image < 24; image += 1) {
    await sellers[random(sellers.length)]!.submit({ prompt: `image ${image}` });
  }

  /** The scenes that wait, by their positions. */
  const inLine = async () => {
    const rows = await stack.models.generations.find({ state: 'queued' }).lean();
    const placed = await Promise.all(
      rows.map(async (row) => ({ row, position: await queuePosition(stack.db, row) })),
    );
    placed.sort((left, right) => left.position! - right.position!);
    expect(placed.map(({ position }) => position)).toEqual(placed.map((_, index) => index + 1));
    return placed.map(({ row }) => row);
  };
  const prompts = (rows: readonly GenerationRow[]) => rows.map(({ prompt }) => prompt);
  const promised = prompts(await inLine());
  expect(promised).toHaveLength(24);

  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  for (let calls = 1; calls <= promised.length; calls += 1) {
    await stack.images.waitFor({ calls, active: 1 });
    // Claims are counted beside the call.
    await expect
      .poll(async () => {
        const rows = await inLine();
        const job = rows[0] && (await stack.server.context.queue.getJob(jobId(rows[0])));
        return { next: prompts(rows), isJobMoved: job?.priority === rows[0]?.priority };
      }, eventually)
      .toEqual({ next: promised.slice(calls), isJobMoved: true });
    await stack.images.release();
  }
  expect(await scenesOf(stack)).toEqual(promised);
  await finish(stack);
  await worker.close();
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
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1', PROVIDER_BACKOFF_MS: '300' });
  await stack.images.waitFor({ calls: 1 });
  for (let image = 0; image < 3; image += 1) await enterprise.submit({ prompt: 'enterprise' });
  // One of them may be claimed while the image waits for its retry.
  await stack.images.waitFor({ calls: 2, active: 1 });
  await expect
    .poll(async () => (await stack.server.context.queue.getJob(jobId({ _id: id, fence: 0 })))?.priority)
    .toBe(promotedPriority('single'));
  const retryAt = async () => (await stack.models.generations.findById(id).lean())!.lease_until!.getTime();
  await expect.poll(async () => Date.now() > (await retryAt()), eventually).toBe(true);
  await stack.images.release();
  await stack.images.waitFor({ calls: 3, active: 1 });
  expect((await scenesOf(stack)).slice(1, 3)).toContain('freelance');
  await finish(stack);
  await worker.close();
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
  const ids: string[] = [];
  for (let image = 0; image < 3; image += 1) ids.push((await seller.submit()).id);
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
  await reconcile(context, { ...never, jobMs: atOnce.jobMs });
  for (const id of ids) {
    const row = (await stack.models.generations.findById(id).lean())!;
    expect((await context.queue.getJob(jobId(row)))!.priority).toBe(row.priority);
  }
});
