/** Version 1 of the API: the library, projects and looks. */
import { expect } from 'vitest';
import {
  defaultOptions,
  type ErrorReply,
  type LookView,
  limits,
  type ProjectView,
  paths,
  type V1Generation,
  type V1GenerationList,
  type V1LookList,
  type V1Project,
  type V1ProjectList,
  v1CreateRequestSchema,
  v1LibraryPaths,
  v1Paths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { expectRefused } from '#tests/support/program-batches.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('program', ({ stack, key }) => <Body = ErrorReply>(method: string, path: string, body?: object) => {
    return callWithKey<Body>(stack.url, key, method, path, body);
  });

test('an image is renamed and marked, and the studio shows it', async ({ stack, seller, program }) => {
  const { _id: id } = await insertImage(stack, seller, { form: { productName: 'Cup' } });
  const path = v1Paths.generation(id);
  const marked = await program<V1Generation>('PATCH', path, { favourite: true, sku: 'CUP-1' });
  expect(marked).toMatchObject({
    status: 200,
    body: { id, favourite: true, sku: 'CUP-1', productName: 'Cup' },
  });
  // What is left out stays, and an empty text removes what was there.
  const renamed = await program<V1Generation>('PATCH', path, { productName: 'Blue cup', sku: '' });
  expect(renamed.body).toMatchObject({ favourite: true, sku: '', productName: 'Blue cup' });
  expect(await seller.generation(id)).toMatchObject({ favourite: true, sku: '', productName: 'Blue cup' });
  const tooLong = 'x'.repeat(limits.productNameCharacters + 1);
  for (const wrong of [
    {},
    { productName: null },
    { favourite: 'yes' },
    { state: 'failed' },
    { productName: tooLong },
  ])
    expect((await program('PATCH', path, wrong)).status, JSON.stringify(wrong)).toBe(400);
  expect((await program('PATCH', v1Paths.generation('x'), { sku: '1' })).status).toBe(404);
});

test('an image goes to the trash and comes back, and is counted all the time', async ({
  stack,
  seller,
  program,
}) => {
  const { _id: id } = await insertImage(stack, seller);
  const path = v1Paths.generation(id);
  const listed = async () =>
    (await program<V1GenerationList>('GET', v1Paths.generations)).body.generations.map((each) => each.id);
  const left = async () => (await seller.me()).subscription!.generationsLeft;
  const before = await left();
  const deleted = await program<''>('DELETE', path);
  expect([deleted.status, deleted.body]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE', 'PATCH'])
    expect((await program(method, path, method === 'PATCH' ? { sku: '1' } : undefined)).status).toBe(404);
  expect((await program('GET', v1Paths.image(id))).status).toBe(404);
  expect(await listed()).toEqual([]);
  expect((await seller.request<{ images: { id: string }[] }>(paths.trash)).body.images).toMatchObject([
    { id },
  ]);

  for (let time = 0; time < 2; time += 1) {
    const restored = await program<V1Generation>('POST', v1LibraryPaths.restore(id));
    expect(restored).toMatchObject({ status: 200, body: { id, state: 'succeeded' } });
  }
  expect(await listed()).toEqual([id]);
  expect(await left()).toBe(before);

  const unended = await seller.submit();
  expect(await program('DELETE', v1Paths.generation(unended.id))).toMatchObject({
    status: 409,
    body: { error: { code: 'NOT_DELETABLE' } },
  });
  await seller.cancel(unended.id);
  await program('DELETE', path);
  expect((await seller.request(paths.trashed(id), { method: 'DELETE' })).status).toBe(204);
  expect(await program('POST', v1LibraryPaths.restore(id))).toMatchObject({
    status: 409,
    body: { error: { code: 'RESTORE_TOO_LATE' } },
  });
  expect((await program('POST', v1LibraryPaths.restore('x'))).status).toBe(404);
  expect(await stack.audit()).toEqual([]);
});

test('projects are made and listed, and images are listed by them', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const made = await program<V1Project>('POST', v1LibraryPaths.projects, { name: 'Autumn' });
  expect(made).toMatchObject({ status: 201, body: { name: 'Autumn', isDefault: false, images: 0 } });
  const { id: projectId } = made.body;
  const inside = await insertImage(stack, seller, { form: { projectId } });
  const outside = await insertImage(stack, seller);
  const { projects } = (await program<V1ProjectList>('GET', v1LibraryPaths.projects)).body;
  const inApp = await seller.request<{ projects: ProjectView[] }>(paths.projects);
  expect(projects.map(({ id, isDefault, images }) => [id, isDefault, images])).toEqual(
    inApp.body.projects.map(({ id, isDefault, images }) => [id, isDefault, images]),
  );
  const usual = projects.find(({ isDefault }) => isDefault)!;
  const listOf = async (id: string) =>
    (await program<V1GenerationList>('GET', `${v1Paths.generations}?projectId=${id}`)).body.generations;
  expect((await listOf(projectId)).map(({ id }) => id)).toEqual([inside._id]);
  expect((await listOf(usual.id)).map(({ id }) => id)).toEqual([outside._id]);
  // Another seller's has nothing for this one.
  const other = await stack.seller();
  const theirs = await call<ProjectView>(other, 'POST', paths.projects, { name: 'Theirs' });
  await insertImage(stack, other, { form: { projectId: theirs.body.id } });
  expect(await listOf(theirs.body.id)).toEqual([]);
  for (const body of [{}, { name: ' ' }, { name: 1 }, { name: 'x', isDefault: true }])
    expect((await program('POST', v1LibraryPaths.projects, body)).status).toBe(400);
  // A repeated request would make another one, so a key is not taken for one that prevents it.
  const body = { name: 'Winter' };
  const refused = await callWithKey<ErrorReply>(stack.url, key, 'POST', v1LibraryPaths.projects, body, {
    'idempotency-key': 'winter',
  });
  expectRefused(refused, 'VALIDATION', { field: 'Idempotency-Key' });
  expect((await program<V1ProjectList>('GET', v1LibraryPaths.projects)).body.projects).toHaveLength(2);
});

test('a look is the fields of a request', async ({ stack, seller, program }) => {
  const plain = { name: 'Plain', scene: 'On white', exportPresets: ['amazon-main'] };
  const styled = {
    name: 'Styled',
    scene: 'With oranges',
    template: 'Studio Photography Setup',
    style: 'vintage',
    width: 1_536,
    height: 1_024,
    negativePrompt: 'hands',
    numImages: 3,
  };
  for (const look of [plain, styled])
    expect((await call<LookView>(seller, 'POST', paths.looks, look)).status).toBe(201);
  const { looks } = (await program<V1LookList>('GET', v1LibraryPaths.looks)).body;
  expect(looks).toEqual([
    {
      id: expect.any(String),
      name: 'Styled',
      request: {
        prompt: 'Studio Photography Setup: With oranges',
        negativePrompt: 'hands',
        width: 1_536,
        height: 1_024,
        style: 'vintage',
        background: defaultOptions.background,
        numImages: 3,
      },
      exportPresets: [],
    },
    {
      id: expect.any(String),
      name: 'Plain',
      request: { prompt: 'On white', ...defaultOptions, numImages: 1 },
      exportPresets: ['amazon-main'],
    },
  ]);
  const photos = [{ url: 'https://photos.shop.example/mug.jpg' }];
  for (const { request } of looks)
    expect(v1CreateRequestSchema.safeParse({ photos, ...request }).error).toBeUndefined();
  const key = await giveKey(stack, await stack.seller());
  const others = await callWithKey<V1LookList>(stack.url, key, 'GET', v1LibraryPaths.looks);
  expect(others.body.looks).toEqual([]);
});
