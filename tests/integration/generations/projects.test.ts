/** Projects: every image is in one; create, rename, picture, move, delete, and what a crash leaves. */
import { expect } from 'vitest';
import {
  defaultProjectName,
  type GenerationList,
  limits,
  type MovedImages,
  type ProjectList,
  type ProjectView,
  paths,
} from '#contract';
import { beginProjectDeletion } from '#shared/data/projects.ts';
import { call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { makeImage, newImage, untilEnded } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack().extend('seller', ({ stack }) => stack.seller());
test.beforeEach(({ stack }) => stack.images.reset());

const listOf = async (seller: Seller) => (await seller.request<ProjectList>(paths.projects)).body.projects;
const create = async (seller: Seller, name: string) =>
  (await call<ProjectView>(seller, 'POST', paths.projects, { name })).body;
const remove = (seller: Seller, id: string, images: string) =>
  seller.request(`${paths.project(id)}?images=${images}`, { method: 'DELETE' });
const imagesIn = async (seller: Seller, id: string) =>
  (await seller.request<GenerationList>(`${paths.generations}?project=${id}`)).body.generations;

test('images are in the default project, or in the one that was chosen, which moves to the front', async ({
  seller,
}) => {
  expect(await listOf(seller)).toEqual([
    expect.objectContaining({
      id: seller.id,
      name: defaultProjectName,
      isDefault: true,
      images: 0,
      coverUrl: null,
    }),
  ]);
  const mugs = await create(seller, '  Mugs ');
  expect(mugs).toMatchObject({ name: 'Mugs', isDefault: false, images: 0, coverUrl: null });
  const plain = await makeImage(seller);
  expect(plain.projectId).toBe(seller.id);
  await expect.poll(async () => (await listOf(seller))[0]!.id, eventually).toBe(seller.id);

  const mug = await makeImage(seller, { fields: [['projectId', mugs.id]] });
  expect(mug.projectId).toBe(mugs.id);
  await expect
    .poll(() => listOf(seller), eventually)
    .toMatchObject([
      { id: mugs.id, images: 1, coverUrl: mug.image!.thumbnailUrl },
      { id: seller.id, images: 1, coverUrl: plain.image!.thumbnailUrl },
    ]);
  expect((await imagesIn(seller, mugs.id)).map(({ id }) => id)).toEqual([mug.id]);
  expect((await imagesIn(seller, seller.id)).map(({ id }) => id)).toEqual([plain.id]);

  // A changed image stays in its project.
  const changed = await call<GenerationList>(seller, 'POST', paths.changes(mug.id), { instruction: 'Blue' });
  expect(changed.body.generations[0]!.projectId).toBe(mugs.id);
});

test('a project is renamed; its picture is a chosen image for as long as that is in it', async ({
  stack,
  seller,
}) => {
  const mugs = await create(seller, 'Mugs');
  const [first, second] = [
    await newImage(stack, seller, { projectId: mugs.id }),
    await newImage(stack, seller, { projectId: mugs.id }),
  ];
  const renamed = await call<ProjectView>(seller, 'PATCH', paths.project(mugs.id), {
    name: 'Cups',
    coverId: first.id,
  });
  expect(renamed.body).toMatchObject({ name: 'Cups', images: 2, coverUrl: first.image!.thumbnailUrl });
  const window = await seller.openWindow();
  const moved = await call<MovedImages>(seller, 'POST', paths.projectImages(seller.id), {
    ids: [first.id, first.id, 'absent'],
  });
  expect(moved.body).toEqual({ moved: 1 });
  await window.until(first.id, ({ projectId }) => projectId === seller.id);
  expect((await seller.request<ProjectView>(paths.project(mugs.id))).body).toMatchObject({
    images: 1,
    coverUrl: second.image!.thumbnailUrl,
  });
  const wrong = await call<never>(seller, 'PATCH', paths.project(mugs.id), { coverId: first.id });
  expectError(wrong, 'VALIDATION', {
    field: 'coverId',
    message: 'The picture must be a finished image in the project.',
  });
  window.close();
});

test('the images of a deleted project move to the default project, or are deleted with it', async ({
  stack,
  seller,
}) => {
  const [kept, dropped] = [await create(seller, 'Kept'), await create(seller, 'Dropped')];
  const [one, two] = [
    await newImage(stack, seller, { projectId: kept.id }),
    await newImage(stack, seller, { projectId: dropped.id }),
  ];
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id: running } = await seller.submit({ fields: [['projectId', dropped.id]] });
  expectError(await remove(seller, dropped.id, 'delete'), 'PROJECT_IN_USE');
  await stack.images.waitFor({ waiting: 1 });
  await stack.images.release();
  expect(await untilEnded(seller, running)).toMatchObject({ state: 'succeeded' });

  expect((await remove(seller, kept.id, 'move')).status).toBe(204);
  expect((await seller.generation(one.id)).projectId).toBe(seller.id);
  expect((await remove(seller, dropped.id, 'delete')).status).toBe(204);
  expectError(await seller.request<never>(paths.generation(two.id)), 'NOT_FOUND');
  expect((await listOf(seller)).map(({ id }) => id)).toEqual([seller.id]);
  expectError(await remove(seller, dropped.id, 'move'), 'NOT_FOUND');
  expectError(await remove(seller, seller.id, 'move'), 'PROJECT_NOT_DELETABLE');
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('upkeep finishes a deletion that a crash interrupted; a later image is moved, not deleted', async ({
  stack,
  seller,
}) => {
  const { id } = await create(seller, 'Dropped');
  const before = await newImage(stack, seller, { projectId: id });
  await beginProjectDeletion(stack.db, seller.id, id, 'delete');
  // As a request leaves it that had found the project before it was deleted.
  const after = await newImage(stack, seller);
  await stack.models.generations.updateOne({ _id: after.id }, { project: id });
  await runUpkeep(workerContext(stack), atOnce);
  expectError(await seller.request<never>(paths.generation(before.id)), 'NOT_FOUND');
  expect((await seller.generation(after.id)).projectId).toBe(seller.id);
  expect(await stack.models.projects.exists({ _id: id })).toBeNull();
});

test('wrong input is refused, and nobody uses the project of another seller', async ({ stack, seller }) => {
  const mine = await create(seller, 'Mine');
  const stranger = await stack.seller();
  for (const name of ['', ' ', 'x'.repeat(limits.projectNameCharacters + 1), 'a\u0000b']) {
    expect((await call(seller, 'POST', paths.projects, { name })).status).toBe(400);
  }
  expectError(await stranger.request<never>(paths.project(mine.id)), 'NOT_FOUND');
  expectError(await call<never>(stranger, 'PATCH', paths.project(mine.id), { name: 'Yours' }), 'NOT_FOUND');
  expectError(await remove(stranger, mine.id, 'delete'), 'NOT_FOUND');
  expect((await remove(seller, mine.id, 'burn')).status).toBe(400);
  const image = await newImage(stack, seller, { projectId: mine.id });
  const stolen = await create(stranger, 'Stolen');
  const moved = await call<MovedImages>(stranger, 'POST', paths.projectImages(stolen.id), {
    ids: [image.id],
  });
  expect(moved.body).toEqual({ moved: 0 });
  expect(await imagesIn(stranger, mine.id)).toEqual([]);
  await expect(stranger.submit({ fields: [['projectId', mine.id]] })).rejects.toThrow(/400.*projectId/);
  expect(await stack.models.generations.countDocuments({ profile: stranger.id })).toBe(0);

  await stack.models.projects.insertMany(
    Array.from({ length: limits.projects - 1 }, (_, index) => ({
      _id: `${seller.id}-${index}`,
      profile: seller.id,
      name: `Project ${index}`,
      created_at: new Date(),
      updated_at: new Date(),
    })),
  );
  expectError(await call<never>(seller, 'POST', paths.projects, { name: 'One more' }), 'PROJECT_LIMIT');
});
