/** Several takes in one request: accepted together or not at all, then each by itself. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type GenerationList, type GenerationView, paths } from '#contract';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { jobId } from '#shared/platform/queue.ts';
import { atOnce, forfeitUntil, giveFreeImages, never, workerContext } from '#tests/support/credits.ts';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithSeller({ workers: 0 });
test.beforeEach(({ stack }) => stack.images.reset());

const rowsOf = (stack: TestStack, seller: Seller) =>
  stack.models.generations.find({ profile: seller.id }).sort({ 'set.index': 1 }).lean();

const idsOf = (views: GenerationView[]) => views.map(({ id }) => id);

const balanceOf = async (seller: Seller) => (await seller.me()).subscription;

/** Puts the later takes of a set back into the state in which a crash after the first one was queued leaves them. */
const unqueueOthers = ({ models }: TestStack, setId: string) =>
  models.generations.updateMany(
    { 'set.id': setId, 'set.index': { $gt: 0 } },
    { $set: { state: 'receiving', queued_at: null, photos: [], priority: 0, revision: 0 } },
  );

test('four takes are four generations with one set of photos, each made and counted by itself', async ({
  stack,
  seller,
  window,
}) => {
  const views = await seller.submitSet(4, { productName: 'Cup' });
  expect(views.map(({ set }) => set)).toEqual(
    [0, 1, 2, 3].map((index) => ({ id: views[0]!.id, index, size: 4 })),
  );
  expect(new Set(idsOf(views)).size).toBe(4);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 96, generationsHeld: 4 });
  const rows = await rowsOf(stack, seller);
  expect(new Set(rows.map(({ photos }) => photos[0]!.key))).toEqual(
    new Set([`photo-sets/${views[0]!.id}/photo-0.jpg`]),
  );
  for (const { photos } of views) expect((await seller.request(photos[0]!.url)).status).toBe(200);
  // In line they stand one behind the other, as four requests would.
  expect(rows.map(({ priority }) => priority - rows[0]!.priority)).toEqual([0, 1, 2, 3]);

  const worker = await stack.startWorker();
  const ended = await Promise.all(idsOf(views).map((id) => window.untilEnded(id)));
  await worker.close();
  expect(ended.map(({ state, imageUsed }) => [state, imageUsed])).toEqual(Array(4).fill(['succeeded', true]));
  const { calls } = await stack.images.state();
  expect(calls.map(({ n }) => n)).toEqual([1, 1, 1, 1]);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 96, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('one failing or cancelled take leaves the others', async ({ stack, seller, window }) => {
  await stack.images.set({ behaviours: [contentRefused] });
  const views = await seller.submitSet(3);
  const cancelled = { status: 200, body: { state: 'cancelled', imageUsed: false } };
  expect(await seller.cancel(views[2]!.id)).toMatchObject(cancelled);
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  const ended = await Promise.all(idsOf(views).map((id) => window.untilEnded(id)));
  await worker.close();
  expect(ended.map(({ state }) => state)).toEqual(['failed', 'succeeded', 'cancelled']);
  await expect
    .poll(() => balanceOf(seller), eventually)
    .toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('too few images: nothing is held and nothing is left', async ({ stack, seller }) => {
  await forfeitUntil(stack, seller, 3);
  const four = { fields: [['numImages', '4']] as [string, string][] };
  expectError(await seller.send(four), 'NO_CREDITS', {
    message: 'You asked for 4 images and have 3 images left. Please choose fewer.',
  });
  await expectNothingLeft(stack, seller.id);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 3, generationsHeld: 0 });
  for (const numImages of ['0', '5']) {
    const answer = await seller.send({ fields: [['numImages', numImages]] });
    expectError(answer, 'VALIDATION', { field: 'numImages' });
  }
  await expectNothingLeft(stack, seller.id);
});

test('a set is held on the rest of the plan and on free images at once', async ({ stack, seller }) => {
  await forfeitUntil(stack, seller, 1);
  await giveFreeImages(stack, seller, 3);
  const views = await seller.submitSet(3);
  const { holds } = (await stack.models.profiles.findById(seller.id).lean())!;
  expect(holds.map(({ generation, balance }) => [generation, balance])).toEqual([
    [views[0]!.id, 'metered'],
    [views[1]!.id, 'free'],
    [views[2]!.id, 'free'],
  ]);
  expectError(await seller.send({ fields: [['numImages', '2']] }), 'NO_CREDITS', {
    message: 'You asked for 2 images and have 1 image left. Please choose fewer.',
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('of ten concurrent sets of three with seven images left, exactly two are accepted', async ({
  stack,
  seller,
}) => {
  await forfeitUntil(stack, seller, 7);
  const three = { fields: [['numImages', '3']] as [string, string][] };
  const answers = await Promise.all(Array.from({ length: 10 }, () => seller.send(three)));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(8);
  expect(await rowsOf(stack, seller)).toHaveLength(6);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 1, generationsHeld: 6 });
  await expectNoStrayFile(stack);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a crash after the first take was accepted: upkeep enqueues the others and never removes them', async ({
  stack,
  seller,
}) => {
  const views = await seller.submitSet(3);
  await unqueueOthers(stack, views[0]!.id);
  const onlyOldRequests = await runUpkeep(workerContext(stack), { ...never, requestMs: 0 });
  expect(onlyOldRequests).toMatchObject({ requestsDropped: 0, holdsReleased: 0 });
  expect(await runUpkeep(workerContext(stack), atOnce)).toMatchObject({
    takesEnqueued: 2,
    requestsDropped: 0,
  });
  const rows = await rowsOf(stack, seller);
  expect(rows.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued']);
  const { queue } = stack.server.context;
  for (const row of rows) expect(await queue.getJob(jobId(row)), `job of ${row._id}`).toBeDefined();
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 97, generationsHeld: 3 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the photos of a set are removed with the last generation that refers to them', async ({
  stack,
  seller,
}) => {
  const ids = idsOf(await seller.submitSet(2));
  const photoSet = ids[0]!;
  const { storage } = stack.server.context;
  const stored = async () => (await readdir(join(stack.storageFolder, 'photo-sets'))).includes(photoSet);
  for (const [index, _id] of ids.entries()) {
    expect(await removeUnusedPhotoSet({ db: stack.db, storage }, photoSet)).toBe(false);
    expect(await stored(), `before row ${index} is removed`).toBe(true);
    await stack.models.generations.deleteOne({ _id });
  }
  expect(await removeUnusedPhotoSet({ db: stack.db, storage }, photoSet)).toBe(true);
  expect(await stored()).toBe(false);
});

test('the takes of a set are listed to their seller, and to nobody else', async ({ stack, seller }) => {
  const views = await seller.submitSet(3);
  await seller.submit();
  const list = (of: Seller) =>
    of.request<GenerationList>(`${paths.generations}?set=${views[0]!.id}`).then(({ body }) => body);
  const { generations, nextCursor } = await list(seller);
  expect(idsOf(generations)).toEqual(idsOf(views));
  expect(nextCursor).toBeNull();
  expect((await list(await stack.seller())).generations).toEqual([]);
});

test('repeated and concurrent requests under one key get the same set', async ({ stack, seller }) => {
  const idempotencyKey = randomUUID();
  const sets = await Promise.all(
    Array.from({ length: 6 }, () => seller.submitSet(3, { idempotencyKey }).then(idsOf)),
  );
  sets.push(idsOf(await seller.submitSet(3, { idempotencyKey })));
  expect(new Set(sets.map((ids) => ids.join())).size).toBe(1);
  expect(await rowsOf(stack, seller)).toHaveLength(3);
  expect(await balanceOf(seller)).toMatchObject({ generationsLeft: 97, generationsHeld: 3 });
  const answer = await seller.send({ idempotencyKey, fields: [['numImages', '2']] });
  expectError(answer, 'IDEMPOTENCY_MISMATCH');
});

test('a crash after the first take was accepted: the repeated request enqueues the others', async ({
  stack,
  seller,
}) => {
  const idempotencyKey = randomUUID();
  const views = await seller.submitSet(3, { idempotencyKey });
  const before = await rowsOf(stack, seller);
  await unqueueOthers(stack, views[0]!.id);
  expect(idsOf(await seller.generations())).toEqual([views[0]!.id]);
  const again = await Promise.all([1, 2].map(() => seller.submitSet(3, { idempotencyKey })));
  for (const set of again) expect(idsOf(set)).toEqual(idsOf(views));
  const after = await rowsOf(stack, seller);
  const stored = ({ state, photos, priority }: (typeof after)[number]) => ({ state, photos, priority });
  expect(after.map(stored)).toEqual(before.map(stored));
});

test('a set that was never accepted is removed whole: rows, holds and photos', async ({ stack, seller }) => {
  const views = await seller.submitSet(3);
  await unqueueOthers(stack, views[0]!.id);
  await stack.models.generations.updateOne({ _id: views[0]!.id }, { $set: { state: 'receiving' } });
  expect(await runUpkeep(workerContext(stack), atOnce)).toMatchObject({
    takesEnqueued: 0,
    requestsDropped: 3,
  });
  await expectNothingLeft(stack, seller.id);
});
