/** What sellers do with their generations afterwards: rename, mark as favourite, delete, undo; and what a purge leaves. */
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { type CreditEntryList, type GenerationView, limits, paths, type RemovedGeneration } from '#contract';
import { askForExport, call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { newImage, untilEnded } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Form, Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { purgeDeleted } from '#worker/upkeep/generations.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { remove, stored, testLibrary } from './library-steps.ts';

const test = testLibrary();

const change = (seller: Seller, id: string, body: object) =>
  call<GenerationView>(seller, 'PATCH', paths.generation(id), body);

const restore = (seller: Seller, id: string) =>
  seller.request<GenerationView>(paths.restoreGeneration(id), { method: 'POST' });

/** Makes images and waits until they are settled. */
async function makeImages(
  stack: TestStack,
  seller: Seller,
  count = 1,
  form: Form = {},
): Promise<GenerationView[]> {
  const made = await seller.submitSet(count, form);
  for (const { id } of made) {
    expect(await untilEnded(seller, id)).toMatchObject({ state: 'succeeded' });
    await expect
      .poll(async () => (await stack.models.generations.findById(id).lean())?.settlement_due, eventually)
      .toBeUndefined();
  }
  return Promise.all(made.map(({ id }) => seller.generation(id)));
}

/** How long images stay in the trash, in ms. */
const trashMs = limits.trashDays * 86_400_000;

/** Moves a deletion into the past, so that its time in the trash is over. */
const ageDeletion = ({ models }: TestStack, id: string) =>
  models.generations.updateOne({ _id: id }, { 'deletion.at': new Date(Date.now() - trashMs - 1) });

const upkeep = (stack: TestStack) => runUpkeep(workerContext(stack), { ...atOnce, trashedMs: trashMs });

/** Resolves when a window has been told that a generation was removed. */
const removedIn = ({ socket }: SellerWindow, id: string) =>
  new Promise<RemovedGeneration>((resolve) => {
    socket.on('generationRemoved', (removed) => {
      if (removed.id === id) resolve(removed);
    });
  });

test('a new name and a star are seen in every window and in the list; the name is that of the download', async ({
  stack,
  seller,
}) => {
  const { id, revision } = await newImage(stack, seller, { productName: 'Cup' });
  const window = await seller.openWindow();
  const { status, body } = await change(seller, id, { productName: '  Blue cup ', favourite: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ productName: 'Blue cup', favourite: true, revision: revision + 1 });
  expect(await window.until(id, ({ favourite }) => favourite)).toEqual(body);
  expect((await seller.generations())[0]).toEqual(body);
  const file = await seller.request(body.image!.downloadUrl);
  expect(file.headers.get('content-disposition')).toContain('Blue-cup');
  expect((await change(seller, id, { productName: '' })).body).toMatchObject({
    productName: '',
    favourite: true,
  });
  expect((await change(seller, id, { favourite: false })).body.favourite).toBe(false);
  window.close();
});

test('a name that is too long, nothing to change, and another seller are refused', async ({
  stack,
  seller,
}) => {
  const made = await newImage(stack, seller);
  const long = 'x'.repeat(limits.productNameCharacters + 1);
  expectError(await change(seller, made.id, { productName: long }), 'VALIDATION', { field: 'productName' });
  expectError(await change(seller, made.id, { favourite: 'yes' }), 'VALIDATION', { field: 'favourite' });
  expect((await change(seller, made.id, { state: 'queued' })).body).toMatchObject({
    error: { code: 'VALIDATION', field: 'state' },
  });
  expectError(await change(seller, made.id, {}), 'VALIDATION', {
    message: 'Nothing to change: send productName, sku or favourite.',
  });
  const other = await stack.seller();
  expectError(await change(other, made.id, { favourite: true }), 'NOT_FOUND');
  expectError(await remove(other, made.id), 'NOT_FOUND');
  expect((await remove(seller, made.id)).status).toBe(200);
  expectError(await restore(other, made.id), 'NOT_FOUND');
  expectError(await restore(seller, 'nothing'), 'NOT_FOUND');
  expect((await restore(seller, made.id)).status).toBe(200);
  expect(await seller.generation(made.id)).toEqual({ ...made, revision: made.revision + 2 });
});

test('a deleted image is gone at once in every window; undoing brings it back with its files', async ({
  stack,
  seller,
}) => {
  const { id, image, photos } = await newImage(stack, seller);
  const other = await newImage(stack, seller);
  const windows = await Promise.all([seller.openWindow(), seller.openWindow()]);
  const told = windows.map((window) => removedIn(window, id));
  const deleted = await remove(seller, id);
  expect(deleted.status).toBe(200);
  expect(await Promise.all(told)).toEqual([deleted.body, deleted.body]);

  expect((await seller.generations()).map((view) => view.id)).toEqual([other.id]);
  for (const path of [paths.generation(id), image!.url, image!.thumbnailUrl, photos[0]!.url]) {
    expectError(await seller.request(path), 'NOT_FOUND');
  }
  expectError(await change(seller, id, { favourite: true }), 'NOT_FOUND');
  expectError(await remove(seller, id), 'NOT_FOUND');
  expectError(await seller.request(paths.remake(id), { method: 'POST' }), 'NOT_FOUND');
  expectError(await seller.cancel(id), 'NOT_FOUND');
  // It is not purged while it can be restored.
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 0 });

  const restored = await restore(seller, id);
  expect(restored).toMatchObject({ status: 200, body: { id, state: 'succeeded', image } });
  expect(restored.body.revision).toBeGreaterThan(deleted.body.revision);
  for (const window of windows) {
    const { revision } = await window.until(id, (view) => view.revision > deleted.body.revision);
    expect(revision).toBe(restored.body.revision);
    window.close();
  }
  expect((await seller.request(image!.url)).status).toBe(200);
  expect(await seller.generations()).toHaveLength(2);
  expect((await restore(seller, id)).body).toEqual(restored.body);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('after its time in the trash its texts and files are gone for good; what it used stays counted', async ({
  stack,
  seller,
}) => {
  const form = { productName: 'Cup', prompt: 'In a secret garden', idempotencyKey: 'the-key' };
  const [made] = (await makeImages(stack, seller, 1, form)) as [GenerationView];
  const { id } = made;
  await seller.request(made.image!.thumbnailUrl);
  const before = (await seller.me()).subscription;
  await remove(seller, id);
  expectError(await seller.send(form), 'GENERATION_DELETED');
  await ageDeletion(stack, id);
  expectError(await restore(seller, id), 'RESTORE_TOO_LATE');
  expect(stored(stack, `generations/${id}`)).toBe(true);
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 1 });
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 0 });

  expect(stored(stack, `generations/${id}`)).toBe(false);
  expect(stored(stack, `photo-sets/${id}`)).toBe(false);
  const row = (await stack.models.generations.findById(id).lean())!;
  expect(row).toMatchObject({ state: 'succeeded', count: 1, deletion: { stage: 'purged' } });
  expect(JSON.stringify(row)).not.toMatch(/Cup|secret|blurry|\.png/);
  expectError(await restore(seller, id), 'RESTORE_TOO_LATE');

  // The key makes nothing again, and counts nothing again.
  expectError(await seller.send(form), 'GENERATION_DELETED');
  expectError(await seller.send({ ...form, prompt: 'Another' }), 'IDEMPOTENCY_MISMATCH');
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(1);
  expect((await seller.me()).subscription).toEqual(before);
  const { body: ledger } = await seller.request<CreditEntryList>(paths.creditEntries);
  expect(ledger.entries.find(({ kind }) => kind === 'settle')).toMatchObject({
    generation: { id, name: 'Deleted image' },
  });
  const reply = await seller.fetch(await askForExport(seller));
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()));
  expect(JSON.parse(strFromU8(files['generations.json']!))).toEqual([]);
  expect(Object.keys(files).filter((name) => name.includes('/'))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('of a set, the others stay, and so do its photos until the last one is deleted', async ({
  stack,
  seller,
}) => {
  const form = { idempotencyKey: 'a-set' };
  const takes = await makeImages(stack, seller, 3, form);
  const setId = takes[0]!.id;
  const again = () => seller.send({ ...form, fields: [['numImages', '3']] });
  for (const [index, { id }] of takes.entries()) {
    await remove(seller, id);
    await ageDeletion(stack, id);
    expect(await upkeep(stack)).toMatchObject({ generationsPurged: 1 });
    const left = takes.slice(index + 1).map((take) => take.id);
    expect(stored(stack, `photo-sets/${setId}`)).toBe(left.length > 0);
    const answer = await again();
    if (left.length === 0) expectError(answer, 'GENERATION_DELETED');
    else expect(answer.body.generations.map((view) => view.id)).toEqual(left);
    for (const take of left) {
      expect((await seller.request(paths.generationImage(take, 'photo-0'))).status).toBe(200);
    }
  }
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 97, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('one that is in progress has to be stopped first; a stopped one can be deleted', async ({
  stack,
  seller,
}) => {
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit();
  expectError(await remove(seller, id), 'NOT_DELETABLE');
  await stack.images.waitFor({ waiting: 1 });
  expectError(await remove(seller, id), 'NOT_DELETABLE');
  await seller.cancel(id);
  expect((await remove(seller, id)).status).toBe(200);
  expect(await seller.generations()).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('one that is not settled, or whose set waits for its photos, is purged later', async ({
  stack,
  seller,
}) => {
  const [first, second] = await makeImages(stack, seller, 2);
  await remove(seller, first!.id);
  await ageDeletion(stack, first!.id);
  const { generations } = stack.models;
  const stageAfterPurge = async () => {
    const now = new Date(Date.now() + 1);
    await purgeDeleted(workerContext(stack), { deletedBefore: now, endedBefore: now }, 500);
    return (await generations.findById(first!.id).lean())!.deletion!.stage;
  };
  // Both are too new for the upkeep of the worker.
  await generations.updateOne({ _id: first!.id }, { settlement_due: true, ended_at: new Date() });
  expect(await stageAfterPurge()).toBe('trashed');
  await generations.updateOne({ _id: first!.id }, { $unset: { settlement_due: 1 } });
  await generations.updateOne({ _id: second!.id }, { state: 'receiving', created_at: new Date() });
  expect(await stageAfterPurge()).toBe('trashed');
  await generations.updateOne({ _id: second!.id }, { state: 'succeeded' });
  expect(await stageAfterPurge()).toBe('purged');
});
