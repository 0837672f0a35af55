/** What sellers change of generations that wait: their order, scene and options. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { type ChangeWaiting, type GenerationView, paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { jobId } from '#shared/platform/queue.ts';
import { call } from '#tests/support/account.ts';
import { sampleRows, startedBatch } from '#tests/support/batches.ts';
import { atOnce, never, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithSeller({ workers: 0 });
test.beforeEach(({ stack }) => stack.images.reset());

const move = (seller: Seller, id: string, before: string | null) =>
  call<GenerationView>(seller, 'POST', paths.moveGeneration(id), { before });

const change = (seller: Seller, id: string, body: ChangeWaiting) =>
  call<GenerationView>(seller, 'PATCH', paths.generationRequest(id), body);

test('images are made in the order that their seller gives them, and other sellers keep their places', async ({
  stack,
  seller,
}) => {
  const other = await stack.seller();
  const ids: string[] = [];
  for (const prompt of ['one', 'two', 'three']) ids.push((await seller.submit({ prompt })).id);
  const strange = [await other.submit({ prompt: 'other one' }), await other.submit({ prompt: 'other two' })];
  const [one, two, three] = ids as [string, string, string];
  const places = async () =>
    (await stack.models.generations.find().sort({ _id: 1 }).lean()).map((row) => row.priority);
  const before = await places();
  expect((await move(seller, three, null)).status).toBe(200);
  expect((await move(seller, one, two)).status).toBe(200);
  expect((await move(seller, two, one)).status).toBe(200);
  // The same places, dealt out anew.
  expect((await places()).toSorted()).toEqual(before.toSorted());
  expect(await Promise.all(strange.map(({ id }) => other.generation(id)))).toMatchObject(
    strange.map(({ position }) => ({ position })),
  );

  const { queue } = stack.server.context;
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  await expect.poll(async () => (await stack.images.state()).calls.length, eventually).toBe(5);
  const scenes = (await stack.images.state()).calls.map(describedScene);
  expect(scenes.filter((scene) => !scene.startsWith('other'))).toEqual(['three', 'two', 'one']);
  // Both sellers take turns, as they would have without the moves.
  expect(scenes.slice(0, 2).toSorted()).toEqual(['other one', 'three']);
  await expect.poll(async () => (await seller.generation(one)).state, eventually).toBe('succeeded');
  await worker.close();
  expect(await queue.getJob(jobId({ _id: one, fence: 0 }))).toBeUndefined();
  expectError(await move(seller, one, null), 'ALREADY_BEGUN');
  expectError(await change(seller, one, { prompt: 'late' }), 'ALREADY_BEGUN');
});

test('the scene and options are what the image is made of, as they are when it begins', async ({
  stack,
  seller,
}) => {
  const key = 'steered';
  const { id } = await seller.submit({ prompt: 'old', idempotencyKey: key });
  const changed = await change(seller, id, {
    prompt: 'new',
    width: 1_024,
    height: 1_536,
    style: 'lifestyle',
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { prompt: 'new', options: { width: 1_024, height: 1_536, style: 'lifestyle' } },
  });
  // Repeated, the request still gets its generation.
  expect((await seller.submit({ prompt: 'old', idempotencyKey: key })).id).toBe(id);
  expectError(await change(seller, id, { width: 2_048, height: 2_048 }), 'UPGRADE_REQUIRED', {
    field: 'width',
    message: 'This is part of the Enterprise plan. Upgrade your plan to use it.',
  });
  expect((await change(seller, id, { seed: 7 })).body).toMatchObject({ prompt: 'new', options: { seed: 7 } });
  expectError(await change(seller, id, { prompt: ' ' }), 'PROMPT_REQUIRED');
  const stranger = await stack.seller();
  expectError(await change(stranger, id, { prompt: 'mine' }), 'NOT_FOUND');
  expectError(await move(stranger, id, null), 'NOT_FOUND');
  const worker = await stack.startWorker();
  await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  await worker.close();
  const { calls } = await stack.images.state();
  expect(calls.map(describedScene)).toEqual(['new']);
  expect(calls[0]).toMatchObject({ size: '1024x1536' });
});

test('images of batches stay behind, and a job that was left in its old place is moved by upkeep', async ({
  stack,
  seller,
}) => {
  await startedBatch(seller, await sampleRows(1));
  await expect.poll(async () => (await seller.generations()).length, eventually).toBe(1);
  const [ofBatch] = await seller.generations();
  expectError(await move(seller, ofBatch!.id, null), 'ALREADY_BEGUN');
  expectError(await change(seller, ofBatch!.id, { prompt: 'other' }), 'ALREADY_BEGUN');
  const { id } = await seller.submit();
  // A process that died after the row.
  await stack.models.generations.updateOne({ _id: id }, { $set: { priority: 12_345 } });
  const context = workerContext(stack);
  await runUpkeep(context, { ...never, jobMs: 0 });
  expect((await context.queue.getJob(jobId({ _id: id, fence: 0 })))!.priority).toBe(12_345);
});

const seed = randomInt(2 ** 31);
console.log(`waiting.test.ts: seed ${seed}`);

test('any interleaving of moves, changes, claims and cancels leaves exact balances', async ({
  stack,
  seller,
}) => {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const ids = (await Promise.all(Array.from({ length: 6 }, () => seller.submit()))).map(({ id }) => id);
  const pick = () => ids[random(ids.length)]!;
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(
      Array.from({ length: 4 }, async (): Promise<unknown> => {
        const id = pick();
        switch (random(5)) {
          case 0:
            return claimGeneration(stack.db, id, 60_000);
          case 1:
            return seller.cancel(id);
          case 2:
            return change(seller, id, { prompt: newId() });
          default:
            return move(seller, id, random(2) === 0 ? null : pick());
        }
      }),
    );
  }
  await runUpkeep(workerContext(stack), { ...atOnce, requestMs: 1e9 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
