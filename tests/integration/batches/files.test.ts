/** How many files a batch has: kept for one that has ended, and the same as a count after every change, also one that was interrupted. */
import { expect } from 'vitest';
import { type BatchView, paths, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { findBatch } from '#shared/data/batches/batches.ts';
import { changeFiles, keepFiles } from '#shared/data/batches/files.ts';
import { countFilesIn, saveApproval } from '#shared/data/generations/batches.ts';
import { deleteGeneration } from '#shared/data/generations/library.ts';
import { restoreGeneration } from '#shared/data/generations/trash.ts';
import { insertEndedBatch } from '#tests/campaigns/support/rows.ts';
import { makeAgain, readBatch, review, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';

const test = testWithCrashableDb({ workers: 1 }).extend('seller', ({ stack }) => stack.seller());

/** Lets so much time pass for a batch that what is counted is kept. */
const settle = (stack: TestStack, id: string) =>
  stack.models.batches.updateOne(
    { _id: id, files_changed_at: { $exists: true } },
    { $set: { files_changed_at: new Date(0) } },
  );

const keptIn = async (stack: TestStack, id: string) =>
  (await stack.models.batches.findById(id).lean())!.files;

/** Opens a batch. @returns how many files it has, as it is shown */
async function shown(seller: Seller, id: string) {
  const { body } = await seller.request<BatchView>(batchPaths.batch(id) + withoutItems);
  return { available: body.available, approved: body.approved };
}

/** What the audit finds of a batch; its images were never made. */
const findingsOf = async (stack: TestStack, id: string) =>
  (await stack.audit()).filter((finding) => finding.id === id);

/** An ended batch whose files are counted and kept. @returns its id, and those of its images */
async function keptBatch(stack: TestStack, seller: Seller, rows = 3) {
  const id = await insertEndedBatch(stack.db, seller.id, rows);
  expect(await shown(seller, id)).toEqual({ available: rows, approved: 0 });
  expect(await keptIn(stack, id)).toMatchObject({ available: rows, approved: 0 });
  const images = await stack.models.generations.find({ 'batch.id': id }).sort({ 'batch.row': 1 }).lean();
  return { id, images: images.map(({ _id }) => _id) };
}

test('every action of a seller changes what is shown at once, and what is kept afterwards is a count', async ({
  stack,
  seller,
}) => {
  const { id, images } = await keptBatch(stack, seller);
  const [first, second] = images as [string, string, string];
  const remove = (path: string) => seller.request(path, { method: 'DELETE' });
  const actions: [act: () => Promise<unknown>, files: { available: number; approved: number }][] = [
    [() => review(seller, id, [first, second], true), { available: 3, approved: 2 }],
    [() => review(seller, id, [second], false), { available: 3, approved: 1 }],
    [() => remove(paths.generation(first)), { available: 2, approved: 0 }],
    [() => seller.request(paths.restoreGeneration(first), { method: 'POST' }), { available: 3, approved: 1 }],
    [() => remove(paths.generation(first)), { available: 2, approved: 0 }],
    [() => remove(paths.trashed(first)), { available: 2, approved: 0 }],
    [() => remove(paths.generation(second)), { available: 1, approved: 0 }],
    [() => remove(`${paths.trash}?at=${new Date().toISOString()}`), { available: 1, approved: 0 }],
  ];
  for (const [index, [act, files]] of actions.entries()) {
    await act();
    expect([index, await shown(seller, id)]).toEqual([index, files]);
    expect([index, await countFilesIn(stack.db, id)]).toEqual([index, files]);
    await settle(stack, id);
    expect([index, await shown(seller, id)]).toEqual([index, files]);
    expect(await keptIn(stack, id)).toMatchObject(files);
  }
});

test('nothing is kept while a change may be under way, or when one was made since the batch was read', async ({
  stack,
  seller,
}) => {
  const { db } = stack;
  const { id, images } = await keptBatch(stack, seller);
  const before = (await findBatch(db, seller.id, id))!;
  await changeFiles(db, id, async () => {
    expect(await shown(seller, id)).toEqual({ available: 3, approved: 0 });
    expect(await keptIn(stack, id)).toBeUndefined();
    await stack.models.generations.updateOne({ _id: images[0]! }, { $set: { 'batch.approved': true } });
  });
  expect(await shown(seller, id)).toEqual({ available: 3, approved: 1 });
  await keepFiles(db, before, { available: 3, approved: 0 });
  await settle(stack, id);
  await keepFiles(db, before, { available: 3, approved: 0 });
  expect(await keptIn(stack, id)).toBeUndefined();
  expect(await shown(seller, id)).toEqual({ available: 3, approved: 1 });
  // What nobody announced is found by the audit, and shown for an hour at most.
  await stack.models.generations.updateOne({ _id: images[1]! }, { $set: { 'batch.approved': true } });
  expect(await findingsOf(stack, id)).toMatchObject([
    { id, problem: '3 images and 1 approved ones are kept for the batch, but it has 3 and 2' },
  ]);
  await stack.models.batches.updateOne(
    { _id: id },
    { $set: { 'files.at': new Date(Date.now() - 3_600_000) } },
  );
  expect(await shown(seller, id)).toEqual({ available: 3, approved: 2 });
  expect(await findingsOf(stack, id)).toEqual([]);
});

test('a change that is interrupted between any two statements leaves nothing wrong', async ({
  stack,
  seller,
  crashableDb,
}) => {
  const { id, images } = await keptBatch(stack, seller);
  const [first] = images as [string, string, string];
  const changes: (() => Promise<unknown>)[] = [
    () => saveApproval(crashableDb, id, [first], true),
    () => saveApproval(crashableDb, id, [first], false),
    () => deleteGeneration(crashableDb, seller.id, first),
    () => restoreGeneration(crashableDb, seller.id, first, new Date(0)),
  ];
  let interrupted = 0;
  for (const change of changes) {
    for (const kind of faultKinds) {
      for (let at = 0, complete = false; !complete; at += 1) {
        await settle(stack, id);
        await shown(seller, id);
        expect(await keptIn(stack, id)).toBeDefined();
        complete = await withFault({ kind, at }, change).then(
          () => true,
          () => false,
        );
        if (!complete) interrupted += 1;
        const files = await countFilesIn(stack.db, id);
        expect([kind, at, await shown(seller, id)]).toEqual([kind, at, files]);
        expect(await findingsOf(stack, id)).toEqual([]);
      }
    }
  }
  // Marking and changing, of each change and kind.
  expect(interrupted).toBeGreaterThanOrEqual(changes.length * faultKinds.length * 2);
});

test('images that are made again are counted anew, and nothing is kept of a batch that runs', async ({
  stack,
  seller,
}) => {
  const id = await startedBatch(seller, await sampleRows(2, { takes: 1 }));
  const ended = () => expect.poll(() => readBatch(seller, id), eventually).toMatchObject({ state: 'ended' });
  await ended();
  const [first] = (await readBatch(seller, id)).items.flatMap(({ images }) => images);
  await review(seller, id, [first!.generationId!], true);
  await settle(stack, id);
  expect(await shown(seller, id)).toEqual({ available: 2, approved: 1 });
  expect(await keptIn(stack, id)).toBeDefined();
  await stack.images.set({ default: { kind: 'hold' } });
  expect((await makeAgain(seller, id, [first!.generationId!])).body).toMatchObject({
    state: 'running',
    available: 1,
    approved: 0,
  });
  await settle(stack, id);
  expect(await shown(seller, id)).toEqual({ available: 1, approved: 0 });
  expect(await keptIn(stack, id)).toBeUndefined();
  await stack.images.reset();
  await stack.images.release();
  await ended();
  await settle(stack, id);
  expect(await shown(seller, id)).toEqual({ available: 2, approved: 0 });
  expect(await keptIn(stack, id)).toMatchObject({ available: 2, approved: 0 });
});
