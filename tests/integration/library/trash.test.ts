/**
 * The trash (docs/decisions/0119-a-trash-of-thirty-days.md): where what was deleted is still there and where it is not, restoring,
 * deleting for ever, and what becomes of it when two do something at the same moment.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import {
  type BatchView,
  type GenerationList,
  type GenerationView,
  identityRecipe,
  limits,
  type OperatorGenerationView,
  operatorPaths,
  type ProjectList,
  type ProjectView,
  paths,
  type RemovedGeneration,
  type Trash,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import { deleteForEver, emptyTrash, restoreGeneration } from '#shared/data/generations/trash.ts';
import { askForExport, call } from '#tests/support/account.ts';
import { sampleRows, startedBatch } from '#tests/support/batches.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage, newImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { purgeDeleted } from '#worker/upkeep/generations.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithCrashableDb().extend('seller', ({ stack }) => stack.seller());
test.beforeEach(({ stack }) => stack.images.reset());

const dayMs = 86_400_000;
const trashMs = limits.trashDays * dayMs;

const remove = (seller: Seller, id: string) =>
  seller.request<RemovedGeneration>(paths.generation(id), { method: 'DELETE' });
const restore = (seller: Seller, id: string) =>
  seller.request<GenerationView>(paths.restoreGeneration(id), { method: 'POST' });
const removeForEver = (seller: Seller, id: string) => seller.request(paths.trashed(id), { method: 'DELETE' });
const empty = (seller: Seller, at: string) =>
  seller.request<{ deleted: number }>(`${paths.trash}?${new URLSearchParams({ at })}`, { method: 'DELETE' });
const trashOf = async (seller: Seller) => (await seller.request<Trash>(paths.trash)).body;
const idsInTrash = async (seller: Seller) => (await trashOf(seller)).images.map(({ id }) => id);

const upkeep = (stack: TestStack) => runUpkeep(workerContext(stack), { ...atOnce, trashedMs: trashMs });
const stored = ({ storageFolder }: TestStack, folder: string) => existsSync(join(storageFolder, folder));
const moneyOf = async (seller: Seller) => (await seller.me()).subscription;

/** Moves a deletion into the past. */
const age = ({ models }: TestStack, id: string, ms: number) =>
  models.generations.updateOne({ _id: id }, { 'deletion.at': new Date(Date.now() - ms) });

/** A finished image in a project, with a batch, a template, a favourite's star and words, so that every list has it. */
async function listedImage(stack: TestStack, seller: Seller, project: string): Promise<string> {
  const { _id: id } = await insertImage(stack, seller, {
    form: { productName: 'Trashcan', projectId: project },
  });
  const root = await newImage(stack, seller);
  const texts = { prompt: 'On a table', product_name: 'Trashcan' };
  await stack.models.generations.updateOne(
    { _id: id },
    { $set: { favourite: true, root: root.id, parent: root.id, ...searchFieldsOf(texts) } },
  );
  return id;
}

const idsOf = async (seller: Seller, path: string) =>
  (await seller.request<GenerationList>(path)).body.generations.map(({ id }) => id);

/** Every place that lists images: with what it is asked. */
const lists: Readonly<Record<string, (image: GenerationView) => string>> = {
  generations: () => paths.generations,
  'a project': ({ projectId }) => `${paths.generations}?project=${projectId}`,
  'a set': ({ set }) => `${paths.generations}?set=${set.id}`,
  versions: ({ rootId }) => `${paths.generations}?root=${rootId}`,
  library: () => paths.library,
  'a search': () => `${paths.library}?q=trash`,
  favourites: () => `${paths.library}?favourite=true`,
  'a state': () => `${paths.library}?state=succeeded`,
  'the library of a project': ({ projectId }) => `${paths.library}?project=${projectId}`,
  'sorted by name': () => `${paths.library}?sort=name`,
};

/** Every address of an image, and everything that can be done with it: refused as if there were none. */
const uses: Readonly<Record<string, (seller: Seller, image: GenerationView) => Promise<Answer<unknown>>>> = {
  itself: (seller, { id }) => seller.request(paths.generation(id)),
  image: (seller, { image }) => seller.request(image!.url),
  thumbnail: (seller, { image }) => seller.request(image!.thumbnailUrl),
  download: (seller, { image }) => seller.request(image!.downloadUrl),
  photo: (seller, { photos }) => seller.request(photos[0]!.url),
  product: (seller, { id }) => seller.request(paths.generationImage(id, 'image-product')),
  rename: (seller, { id }) => call(seller, 'PATCH', paths.generation(id), { productName: 'Cup' }),
  delete: (seller, { id }) => remove(seller, id),
  cancel: (seller, { id }) => seller.cancel(id),
  'make again': (seller, { id }) => seller.request(paths.remake(id), { method: 'POST' }),
  edit: (seller, { id }) => call(seller, 'PUT', paths.edits(id), { recipe: identityRecipe, basedOn: null }),
  change: (seller, { id }) => call(seller, 'POST', paths.changes(id), { instruction: 'Brighter' }),
  export: (seller, { id }) => seller.request(`${paths.exports}?images=${id}&presets=original`),
  'file of an export': (seller, { id }) =>
    seller.request(`${paths.exportFile}?images=${id}&presets=original`),
  'check of an export': (seller, { id }) =>
    seller.request(`${paths.exportChecks}?images=${id}&presets=original`),
};

test('what is in the trash is in no list, no count and behind no address, until it is restored', async ({
  stack,
  seller,
}) => {
  const project = await call<ProjectView>(seller, 'POST', paths.projects, { name: 'Bins' });
  const id = await listedImage(stack, seller, project.body.id);
  const image = await seller.generation(id);
  const before = await moneyOf(seller);
  for (const [name, pathOf] of Object.entries(lists))
    expect(await idsOf(seller, pathOf(image)), name).toContain(id);

  expect((await remove(seller, id)).status).toBe(200);
  for (const [name, pathOf] of Object.entries(lists)) {
    expect(await idsOf(seller, pathOf(image)), name).not.toContain(id);
  }
  for (const [name, use] of Object.entries(uses)) {
    const answer = await use(seller, image);
    expect({ name, ...(answer.body as object) }).toMatchObject({ name, error: { code: 'NOT_FOUND' } });
  }
  const { body } = await seller.request<ProjectList>(paths.projects);
  expect(body.projects.find((each) => each.id === project.body.id)).toMatchObject({
    images: 0,
    coverUrl: null,
  });
  const moved = await call<{ moved: number }>(seller, 'POST', paths.projectImages(seller.id), { ids: [id] });
  expect(moved.body).toEqual({ moved: 0 });

  const trash = await trashOf(seller);
  expect(trash).toMatchObject({ count: 1, days: limits.trashDays, nextCursor: null });
  const [shown] = trash.images;
  expect(shown).toMatchObject({ id, productName: 'Trashcan', state: 'succeeded' });
  expect(Date.parse(shown!.removedAt) - Date.parse(shown!.deletedAt)).toBe(trashMs);
  const row = (await stack.models.generations.findById(id).lean())!;
  expect(trash.bytes).toBe(row.image!.bytes + row.photos[0]!.bytes);
  const picture = await seller.request(shown!.pictureUrl);
  expect(picture.status).toBe(200);
  expect(picture.headers.get('content-type')).toBe('image/webp');
  const stranger = await stack.seller();
  expectError(await stranger.request(shown!.pictureUrl), 'NOT_FOUND');
  expectError(await restore(stranger, id), 'NOT_FOUND');
  expectError(await removeForEver(stranger, id), 'NOT_FOUND');
  expect(await idsInTrash(stranger)).toEqual([]);

  expect((await restore(seller, id)).body).toMatchObject({ id, projectId: project.body.id, favourite: true });
  for (const [name, pathOf] of Object.entries(lists))
    expect(await idsOf(seller, pathOf(image)), name).toContain(id);
  expect((await seller.request(image.image!.url)).status).toBe(200);
  expectError(await seller.request(shown!.pictureUrl), 'NOT_FOUND');
  expect(await trashOf(seller)).toMatchObject({ images: [], count: 0, bytes: 0 });
  expect(await moneyOf(seller)).toEqual(before);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('what is in the trash is found by its id, by its seller only, until it is restored', async ({
  stack,
  seller,
}) => {
  const { id } = await newImage(stack, seller, { productName: 'Oak chair' });
  const stranger = await stack.seller();
  const find = (who: Seller) => who.request<Trash['images'][number]>(paths.trashed(id));
  expectError(await find(seller), 'NOT_FOUND');
  await remove(seller, id);
  const { body } = await find(seller);
  expect(body).toEqual((await trashOf(seller)).images[0]);
  expect(body).toMatchObject({ id, productName: 'Oak chair' });
  expectError(await find(stranger), 'NOT_FOUND');
  await restore(seller, id);
  expectError(await find(seller), 'NOT_FOUND');
});

test('upkeep keeps what is in the trash for its days, and then removes it with its files', async ({
  stack,
  seller,
}) => {
  const { id } = await newImage(stack, seller);
  const before = await moneyOf(seller);
  await remove(seller, id);
  await age(stack, id, trashMs - dayMs);
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 0 });
  expect(await idsInTrash(seller)).toEqual([id]);
  await age(stack, id, trashMs + 1);
  expectError(await restore(seller, id), 'RESTORE_TOO_LATE');
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 1 });
  expect(stored(stack, `generations/${id}`)).toBe(false);
  expect(await idsInTrash(seller)).toEqual([]);
  expect(await moneyOf(seller)).toEqual(before);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('what is deleted for ever cannot be restored, whoever clicks twice; emptying spares what came later', async ({
  stack,
  seller,
}) => {
  const images = await Promise.all([1, 2, 3, 4].map(() => newImage(stack, seller)));
  const [one, two, three, kept] = images.map(({ id }) => id) as [string, string, string, string];
  const before = await moneyOf(seller);
  expectError(await removeForEver(seller, kept), 'NOT_FOUND');
  await remove(seller, one);
  const answers = await Promise.all([removeForEver(seller, one), removeForEver(seller, one)]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expectError(await restore(seller, one), 'RESTORE_TOO_LATE');

  await remove(seller, two);
  const { at } = await trashOf(seller);
  await remove(seller, three);
  await age(stack, two, dayMs);
  expect((await empty(seller, at)).body).toEqual({ deleted: 1 });
  expect((await empty(seller, at)).body).toEqual({ deleted: 0 });
  expect(await idsInTrash(seller)).toEqual([three]);
  expectError(await restore(seller, two), 'RESTORE_TOO_LATE');
  expect((await seller.generations()).map(({ id }) => id)).toEqual([kept]);

  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 2 });
  for (const id of [one, two]) expect(stored(stack, `generations/${id}`)).toBe(false);
  expect(stored(stack, `generations/${three}`)).toBe(true);
  expect((await restore(seller, three)).status).toBe(200);
  expect(await moneyOf(seller)).toEqual(before);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('restoring and removing at the same moment: it is either whole or gone', async ({ stack, seller }) => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const { id, image } = await newImage(stack, seller);
    await remove(seller, id);
    const purge = () =>
      purgeDeleted(
        workerContext(stack),
        { deletedBefore: new Date(Date.now() + dayMs), endedBefore: new Date() },
        500,
      );
    const since = new Date(Date.now() - trashMs);
    const restoring = () => restoreGeneration(stack.db, seller.id, id, since);
    const removals = [
      purge,
      () => deleteForEver(stack.db, seller.id, id),
      () => emptyTrash(stack.db, seller.id, new Date()),
    ];
    // Each comes first: in the first two rounds it is done before the others begin.
    const removing = removals.slice(round % removals.length).map((ask) => round % 2 === 0 && ask());
    if (round === 0) await Promise.all(removing);
    const asked = restoring();
    if (round === 1) await asked;
    const others = removals.map((ask) => round % 2 === 1 && ask());
    const restoration = await asked;
    await Promise.all([...removing, ...others]);
    await purge();
    const row = (await stack.models.generations.findById(id).lean())!;
    const isWhole = row.deletion === undefined;
    expect(restoration.outcome).toBe(isWhole ? 'restored' : 'late');
    expect(row.prompt === '').toBe(!isWhole);
    expect(stored(stack, `generations/${id}`)).toBe(isWhole);
    expect(stored(stack, `photo-sets/${id}`)).toBe(isWhole);
    expect((await seller.request(image!.url)).status).toBe(isWhole ? 200 : 404);
    outcomes.add(restoration.outcome);
  }
  expect(outcomes).toEqual(new Set(['restored', 'late']));
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('of a project that was deleted since, an image comes back into the default project', async ({
  stack,
  seller,
}) => {
  const make = async () =>
    (await call<ProjectView>(seller, 'POST', paths.projects, { name: 'Mugs' })).body.id;
  for (const images of ['move', 'delete']) {
    const project = await make();
    const before = await newImage(stack, seller, { projectId: project });
    const within = await newImage(stack, seller, { projectId: project });
    await remove(seller, before.id);
    const gone = await seller.request(`${paths.project(project)}?images=${images}`, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    expect(await idsInTrash(seller)).toEqual(images === 'delete' ? [within.id, before.id] : [before.id]);
    for (const id of [before.id, within.id]) {
      expect((await restore(seller, id)).body.projectId).toBe(seller.id);
    }
  }
});

test('versions stay when the image that they were made from is in the trash, and when it is deleted for ever', async ({
  stack,
  seller,
}) => {
  const root = await newImage(stack, seller);
  const { body } = await call<{ generations: GenerationView[] }>(seller, 'POST', paths.changes(root.id), {
    instruction: 'Brighter',
  });
  const version = body.generations[0]!.id;
  await expect.poll(async () => (await seller.generation(version)).state, eventually).toBe('succeeded');
  await remove(seller, root.id);
  const versions = () => idsOf(seller, `${paths.generations}?root=${root.id}`);
  expect(await versions()).toEqual([version]);
  const shown = await seller.generation(version);
  expect(shown).toMatchObject({ parentId: root.id, rootId: root.id });
  expect((await seller.request(shown.image!.url)).status).toBe(200);
  expect((await seller.request(shown.photos[0]!.url)).status).toBe(200);
  await restore(seller, root.id);
  expect(await versions()).toEqual([root.id, version]);
  await remove(seller, root.id);
  await removeForEver(seller, root.id);
  expect(await upkeep(stack)).toMatchObject({ generationsPurged: 1 });
  expect(await versions()).toEqual([version]);
  expect((await seller.request(shown.photos[0]!.url)).status).toBe(200);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('other windows are told when something is moved to the trash, restored and deleted for ever', async ({
  stack,
  seller,
}) => {
  const { id } = await newImage(stack, seller);
  const window = await seller.openWindow();
  const removals: RemovedGeneration[] = [];
  window.socket.on('generationRemoved', (removed) => removals.push(removed));
  const toldOf = (count: number) => expect.poll(() => removals.length, eventually).toBe(count);
  const { body: removed } = await remove(seller, id);
  await toldOf(1);
  const { body: restored } = await restore(seller, id);
  await window.until(id, ({ revision }) => revision > removed.revision);
  await remove(seller, id);
  await toldOf(2);
  await removeForEver(seller, id);
  await toldOf(3);
  const revisions = removals.map(({ revision }) => revision);
  expect(revisions).toEqual([removed.revision, restored.revision + 1, restored.revision + 2]);
  const { id: another } = await newImage(stack, seller);
  await remove(seller, another);
  await toldOf(4);
  await empty(seller, new Date().toISOString());
  await toldOf(5);
  window.close();
});

test('an export has what is in the trash and says so; what was deleted for ever is not in it', async ({
  stack,
  seller,
}) => {
  const [trashed, gone] = [await newImage(stack, seller), await newImage(stack, seller)];
  for (const { id } of [trashed, gone]) await remove(seller, id);
  await removeForEver(seller, gone.id);
  const reply = await seller.fetch(await askForExport(seller));
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()));
  const list = JSON.parse(strFromU8(files['generations.json']!)) as {
    id: string;
    inTrashSince: string | null;
  }[];
  expect(list.map(({ id }) => id)).toEqual([trashed.id]);
  expect(list[0]!.inTrashSince).toBe((await trashOf(seller)).images[0]!.deletedAt);
  expect(Object.keys(files).filter((name) => name.endsWith('/image.png'))).toHaveLength(1);
  expect(strFromU8(files['README.txt']!)).toContain('Images in your trash are in here');
});

test('how much is in the trash is counted for its first page', async ({ stack, seller }) => {
  const images = [await newImage(stack, seller), await newImage(stack, seller)];
  for (const { id } of images) expect((await remove(seller, id)).status).toBe(200);
  const first = (await seller.request<Trash>(`${paths.trash}?limit=1`)).body;
  expect(first).toMatchObject({ images: [{ id: images[1]!.id }], count: 2, bytes: expect.any(Number) });
  const query = new URLSearchParams({ limit: '1', cursor: first.nextCursor! });
  const second = (await seller.request<Trash>(`${paths.trash}?${query}`)).body;
  expect(second).toMatchObject({ images: [{ id: images[0]!.id }], count: null, bytes: null });
});

test('deleting the account removes the trash at once', async ({ stack, seller }) => {
  const { id } = await newImage(stack, seller);
  await remove(seller, id);
  await beginDeletion(stack.db, seller.id);
  expect(await finishDeletion(workerContext(stack), seller.id, new Date(Date.now() + dayMs))).toBe(true);
  expect(await stack.models.generations.findById(id).lean()).toBeNull();
  expect(stored(stack, `generations/${id}`)).toBe(false);
  expect(stored(stack, `photo-sets/${id}`)).toBe(false);
});

test('an operator sees that it is in the trash and what became of it, and can make nothing of it', async ({
  stack,
  seller,
}) => {
  const operator = await operatorOf(stack);
  const { id } = await newImage(stack, seller);
  const lifeOf = async () => {
    const { body } = await operator.request<OperatorGenerationView>(operatorPaths.generation(id));
    expect(body.actions).toEqual([]);
    return body.life.find(({ title }) => title === 'Moved to the trash')?.details;
  };
  expect(await lifeOf()).toBeUndefined();
  await remove(seller, id);
  expect(await lifeOf()).toBe('the seller can restore it');
  await removeForEver(seller, id);
  expect(await lifeOf()).toContain('deleted for ever');
  await upkeep(stack);
  expect(await lifeOf()).toContain('its files are removed');
});

test('a batch shows that an image is deleted, and the image again once it is restored', async ({
  seller,
}) => {
  const batch = await startedBatch(seller, await sampleRows(1));
  const view = async () => (await seller.request<BatchView>(batchPaths.batch(batch))).body;
  await expect.poll(async () => (await view()).state, eventually).toBe('ended');
  const imageOf = async () => (await view()).items[0]!.images[0]!;
  const { generationId: id } = await imageOf();
  const filesInZip = async () => {
    const reply = await seller.fetch(batchPaths.batchArchive(batch));
    if (reply.status === 404) return 0;
    return Object.keys(unzipSync(new Uint8Array(await reply.arrayBuffer()))).length;
  };
  const before = { counts: (await view()).counts, files: await filesInZip() };
  expect(before.files).toBe(1);
  await remove(seller, id!);
  expect(await imageOf()).toMatchObject({ state: 'deleted', generationId: null, imageUrl: null });
  expect(await filesInZip()).toBe(0);
  await restore(seller, id!);
  expect(await imageOf()).toMatchObject({ state: 'succeeded', generationId: id });
  expect(await filesInZip()).toBe(1);
  expect((await view()).counts).toEqual(before.counts);
});
