/** What a seller can store in batches that are not started: nothing without an image, and so many bytes with one. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type BatchItems, type BatchView, type ErrorReply, limits, paths, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { requestLimits } from '#contract/request-limits.ts';
import { newId } from '#shared/data/db.ts';
import { actOn, postBatch, putPhoto, readBatch, sampleRows, sha256Of } from '#tests/support/batches.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { expectError, expectNoStrayFile } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { colouredPhoto, samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0, settings: { BATCH_WINDOW: '1' } });

const fullWithoutPlan = {
  message:
    'Without a plan, photos and tables of batches that are not started can take up 256 MB. Start or delete one of them, or choose a plan.',
};

/** Photos with other contents, and a row for each. */
async function photosAndRows(count: number) {
  const photos = await Promise.all(
    Array.from({ length: count }, (_, index) => colouredPhoto(`#${(index + 16).toString(16)}40c0`)),
  );
  const [row] = await sampleRows(1);
  return {
    photos,
    rows: photos.map((photo) => ({ ...row!, photos: [{ name: 'photo.png', sha256: sha256Of(photo) }] })),
  };
}

/** A seller without a plan, with free images. */
async function freeSeller(stack: TestStack): Promise<Seller> {
  const seller = await stack.seller({ paid: false });
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $inc: { granted: 3, 'free_images.granted': 3, 'free_images.left': 3 } },
  );
  return seller;
}

const storedBytes = async (stack: TestStack, seller: Seller) => {
  const batches = await stack.models.batches.find({ profile: seller.id }).lean();
  const photos = await stack.models.batchPhotos
    .find({ batch: { $in: batches.map(({ _id }) => _id) } })
    .lean();
  return photos.reduce((sum, { stored }) => sum + (stored?.bytes ?? 0), 0);
};

test('without an available image no batch is made and no photo is taken, and nothing is stored', async ({
  stack,
  seller,
}) => {
  const stranger = await stack.seller({ paid: false });
  expectError(await postBatch(stranger, { rows: await sampleRows(1) }), 'NO_SUBSCRIPTION');
  expect(await stack.models.batches.countDocuments({ profile: stranger.id })).toBe(0);

  const rows = await sampleRows(5);
  const { body } = await postBatch(seller, { rows });
  await forfeitUntil(stack, seller, 0);
  // They are answered before their bodies are read.
  for (const answer of [
    await putPhoto(seller, body.id, await samplePhoto()),
    await postBatch(seller, { rows }),
  ]) {
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'NO_CREDITS' } } });
  }
  expect((await readBatch(seller, body.id)).photosMissing).toHaveLength(1);
  await expectNoStrayFile(stack);
});

test('one available image is enough to upload; the start names the shortfall', async ({ stack, seller }) => {
  await forfeitUntil(stack, seller, 1);
  const { body } = await postBatch(seller, { rows: await sampleRows(5) });
  expect((await putPhoto(seller, body.id, await samplePhoto())).status).toBe(200);
  expectError(await actOn(seller, body.id, 'start'), 'NO_CREDITS', {
    message: 'You asked for 5 images and have 1 image left. Please choose fewer.',
  });
});

test('photos that are uploaded at the same time never pass the bytes that a seller may store', async ({
  stack,
}) => {
  const seller = await freeSeller(stack);
  const { photos, rows } = await photosAndRows(6);
  const { body: batch } = await postBatch(seller, { rows });
  expect((await putPhoto(seller, batch.id, photos[0]!)).status).toBe(200);
  const one = await storedBytes(stack, seller);
  expect(one).toBeGreaterThan(0);
  // Room for two and a half of the others.
  const most = limits.unstartedBytesWithoutPlan;
  const counted = async () => (await stack.models.batches.findById(batch.id).lean())!.bytes!;
  await stack.models.batches.updateOne({ _id: batch.id }, { bytes: most - Math.round(2.5 * one) });
  const answers = await Promise.all(
    photos.slice(1).map((photo) => putPhoto<BatchView>(seller, batch.id, photo)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) {
    expectError(answer, 'BATCH_LIMIT', fullWithoutPlan);
  }
  expect(refused.length).toBeGreaterThanOrEqual(3);
  expect(await counted()).toBeLessThanOrEqual(most);
  // What was refused is not stored, and not counted.
  expect((await counted()) - (most - Math.round(2.5 * one))).toBe((await storedBytes(stack, seller)) - one);

  // A table counts as well.
  await stack.models.batches.updateOne({ _id: batch.id }, { bytes: most - 100 });
  expectError(await postBatch(seller, { rows }), 'BATCH_LIMIT', fullWithoutPlan);
  expect(await stack.models.batches.countDocuments({ profile: seller.id })).toBe(1);
  expect((await seller.request(batchPaths.batch(batch.id), { method: 'DELETE' })).status).toBe(204);
  expect((await postBatch(seller, { rows })).status).toBe(201);
  expect(await readdir(join(stack.storageFolder, 'photo-sets'))).not.toContain(batch.id);
});

test('a batch that is started makes room; a photo that arrives twice is counted once', async ({ stack }) => {
  const seller = await freeSeller(stack);
  const { photos, rows } = await photosAndRows(1);
  const { body: batch } = await postBatch(seller, { rows });
  const before = (await stack.models.batches.findById(batch.id).lean())!.bytes!;
  expect(before).toBeGreaterThan(0);
  const answers = await Promise.all([1, 2, 3].map(() => putPhoto(seller, batch.id, photos[0]!)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const counted = (await stack.models.batches.findById(batch.id).lean())!.bytes! - before;
  expect(counted).toBe(await storedBytes(stack, seller));
  await stack.models.batches.updateOne({ _id: batch.id }, { bytes: limits.unstartedBytesWithoutPlan });
  expectError(await postBatch(seller, { rows }), 'BATCH_LIMIT', fullWithoutPlan);
  expect((await actOn(seller, batch.id, 'start')).status).toBe(200);
  expect((await postBatch(seller, { rows })).status).toBe(201);
});

test('what is cancelled before it began leaves no photo', async ({ stack, seller }) => {
  const { photos, rows } = await photosAndRows(4);
  const { body: batch } = await postBatch(seller, { rows });
  for (const photo of photos) expect((await putPhoto(seller, batch.id, photo)).status).toBe(200);
  expect((await actOn(seller, batch.id, 'start')).status).toBe(200);
  await expect.poll(async () => (await readBatch(seller, batch.id)).counts.underWay, eventually).toBe(1);
  expect((await actOn(seller, batch.id, 'cancel')).status).toBe(200);
  await expect.poll(async () => (await readBatch(seller, batch.id)).state, eventually).toBe('ended');
  // The image that was in the queue can be tried again.
  const [row] = await stack.models.generations.find({ profile: seller.id }).lean();
  const kept = row!.photos.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  expect(kept).toHaveLength(1);
  expect(await readdir(join(stack.storageFolder, 'photo-sets', batch.id))).toEqual(kept);
});

test('who has too many failed or cancelled images deletes some before more photos are stored', async ({
  stack,
}) => {
  const seller = await freeSeller(stack);
  const { id } = await seller.submit();
  expect((await seller.cancel(id)).status).toBe(200);
  const row = (await stack.models.generations.findById(id).lean())!;
  await stack.models.generations.insertMany(
    Array.from({ length: limits.unmadeWithoutPlan - 1 }, () => {
      const copy = newId();
      return { ...row, _id: copy, idempotency_key: copy, set: { ...row.set, id: copy } };
    }),
  );
  const refused = {
    message:
      '50 of your images failed or were cancelled, which is the most without a plan. Delete those that you no longer need, also from the trash.',
  };
  expectError(await seller.send<ErrorReply>(), 'VALIDATION', refused);
  expectError(await postBatch<ErrorReply>(seller, { rows: await sampleRows(1) }), 'VALIDATION', refused);
  // In the trash its photos are kept.
  expect((await seller.request(paths.generation(id), { method: 'DELETE' })).status).toBe(200);
  expectError(await seller.send<ErrorReply>(), 'VALIDATION', refused);
  expect((await seller.request(paths.trashed(id), { method: 'DELETE' })).status).toBe(204);
  expect((await seller.send()).status).toBe(202);
});

test('rows are read in pages; a page of the last release still gets all of them', async ({ seller }) => {
  const count = limits.batchRowsPage + 1;
  const { body: batch } = await postBatch(seller, { rows: await sampleRows(count) });
  const read = (from: number) =>
    seller.request<BatchItems>(
      `${batchPaths.batchItems(batch.id)}?${new URLSearchParams({ from: String(from) })}`,
    );
  const [first, last] = await Promise.all([read(0), read(limits.batchRowsPage)]);
  expect(first.body.items).toHaveLength(limits.batchRowsPage);
  expect(first.body.next).toBe(limits.batchRowsPage);
  expect(last.body).toMatchObject({ items: [{ index: count - 1 }], next: null });
  const { body: light } = await seller.request<BatchView>(batchPaths.batch(batch.id) + withoutItems);
  expect(light.items).toEqual([]);
  expect(light.missing).toEqual([{ name: 'cup.png', sha256: batch.photosMissing[0], row: 0 }]);
  const { body: whole } = await seller.request<BatchView>(batchPaths.batch(batch.id));
  expect(whole.items).toEqual([...first.body.items, ...last.body.items]);
  expect(batch.items).toEqual(whole.items);
  expectError(await seller.request(`${batchPaths.batchItems(batch.id)}?from=-1`), 'VALIDATION', {
    field: 'from',
    message: 'The field "from" is not valid.',
  });
});

test('each kind of request about batches has its limit, which counts before anything is looked up', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const gone = 'ffffffffffffffffffffffff';
  const kinds = [
    ['batch-new', batchPaths.batches, 'POST', 400],
    ['batch-list', batchPaths.batches, 'GET', 200],
    ['batch-action', batchPaths.batchAction(gone, 'pause'), 'POST', 404],
    ['batch-download', batchPaths.batchReport(gone), 'GET', 404],
  ] as const;
  for (const [name, path, method, status] of kinds) {
    const body = name === 'batch-new' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {};
    const { requests } = requestLimits.seller[name];
    const answers = await Promise.all(
      Array.from({ length: requests + 3 }, () => seller.request(path, { method, ...body })),
    );
    const counts = Map.groupBy(answers, (answer) => answer.status);
    expect([...counts.keys()].toSorted(), name).toEqual([status, 429].toSorted());
  }
  // Reading is another kind, a ZIP is the same as a report.
  expect((await seller.request(batchPaths.batch(gone))).status).toBe(404);
  expect((await seller.request(batchPaths.batchArchive(gone))).status).toBe(429);
});

test('a seller who asks for all rows again and again is told to wait; others and lighter requests are not', async ({
  stack,
  seller,
}) => {
  const { body: batch } = await postBatch(seller, { rows: await sampleRows(1) });
  const requests = requestLimits.seller['batch-whole'].requests;
  const answers = await Promise.all(
    Array.from({ length: requests + 5 }, () => seller.request(batchPaths.batch(batch.id))),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expectError(refused[0]!, 'RATE_LIMITED');
  expect(refused[0]!.headers.get('retry-after')).not.toBeNull();
  expect((await seller.request(batchPaths.batch(batch.id) + withoutItems)).status).toBe(200);
  const other = await stack.seller();
  const { body: own } = await postBatch(other, { rows: await sampleRows(1) });
  expect((await other.request(batchPaths.batch(own.id))).status).toBe(200);
});
