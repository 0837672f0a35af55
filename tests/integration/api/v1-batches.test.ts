/** Batches by programs: what is made and used is what the web app would make and use. */
import { createHash } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import {
  type BatchList,
  type ErrorReply,
  limits,
  type V1Batch,
  type V1BatchList,
  type V1BatchPhotos,
  type V1BatchRows,
  type V1CreateBatch,
  type V1Estimate,
  v1BatchPaths,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { sha256Of } from '#tests/support/batches.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import {
  type BatchProgram,
  expectRefused,
  programRows,
  testWithProgram,
  uploadedByProgram,
} from '#tests/support/program-batches.ts';
import type { Seller } from '#tests/support/seller.ts';
import { startStrangerServer } from '#tests/support/stranger-server.ts';

const photo = await samplePhoto();
const stranger = await startStrangerServer({ '/mug.png': ['image/png', photo] });
afterAll(() => stranger.close());

const test = testWithProgram({ server: { outbound: stranger.outbound() } });
test.afterEach(({ stack }) => stack.images.reset());

const mug = stranger.url('/mug.png');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const file = { sha256: sha256Of(photo), name: 'cup.png' };
const formOf = (bytes = photo) => {
  const form = new FormData();
  form.append('photos', new File([new Uint8Array(bytes)], 'cup.png', { type: 'image/png' }));
  return form;
};
const rows: V1CreateBatch['rows'] = [
  { sku: 'MUG-1', productName: 'Mug', prompt: 'On oak', photos: [{ url: mug }] },
  { sku: 'CUP-1', asin: 'B0ABCDEF12', prompt: 'On slate', numImages: 2, photos: [file] },
];
const create = (program: BatchProgram, details: Partial<V1CreateBatch> = {}, key?: string) =>
  program(
    'POST',
    v1BatchPaths.batches,
    { name: 'Autumn', rows, ...details },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const uploaded = async (program: BatchProgram, count: number) =>
  uploadedByProgram(program, await programRows(count));
const act = <Body = V1Batch & ErrorReply>(
  program: BatchProgram,
  id: string,
  action: 'start' | 'pause' | 'resume' | 'cancel',
  body?: object,
) => program<Body>('POST', v1BatchPaths.action(id, action), body);
const left = async (seller: Seller) => {
  const { generationsLeft, generationsHeld } = (await seller.me()).subscription;
  return [generationsLeft, generationsHeld];
};
const untilState = (program: BatchProgram, id: string, state: V1Batch['state']) =>
  expect.poll(async () => (await program('GET', v1BatchPaths.batch(id))).body.state, eventually).toBe(state);

test('a repeated request for a batch or for its rows is answered also when no image is left', async ({
  stack,
  seller,
  program,
}) => {
  const more = { rows: await programRows(1, 5) };
  const add = (id: string, key: string) =>
    program('POST', v1BatchPaths.rows(id), more, { 'idempotency-key': key });
  const { id } = (await create(program, {}, 'winter')).body;
  expect((await add(id, 'more')).body.rows).toBe(3);
  await forfeitUntil(stack, seller, 0);
  const again = await create(program, {}, 'winter');
  expect([again.status, again.body.id]).toEqual([201, id]);
  expect((await add(id, 'more')).body.rows).toBe(3);
  expectRefused(await create(program, {}, 'spring'), 'NO_CREDITS');
  expectRefused(await add(id, 'others'), 'NO_CREDITS');
});

test('a batch that was started and deleted is not made again under its key; one that was not started is', async ({
  stack,
  seller,
  program,
}) => {
  const make = async (key: string, count = 1) => create(program, { rows: await programRows(count) }, key);
  const remove = (id: string) => program('DELETE', v1BatchPaths.batch(id));
  const { id } = (await make('autumn')).body;
  await program('PUT', v1BatchPaths.photo(id, file.sha256), formOf());
  expect((await act(program, id, 'start')).status).toBe(200);
  await untilState(program, id, 'ended');
  expect((await remove(id)).status).toBe(204);
  for (let call = 0; call < 2; call += 1) expectRefused(await make('autumn'), 'BATCH_DELETED');
  expectRefused(await make('autumn', 2), 'IDEMPOTENCY_MISMATCH');
  expect((await program<V1BatchList>('GET', v1BatchPaths.batches)).body.batches).toEqual([]);
  expect(await stack.models.deletedBatches.find().lean()).toEqual([
    {
      _id: id,
      profile: seller.id,
      key: 'autumn',
      fingerprint: expect.any(String),
      deleted_at: expect.any(Date),
      remove_at: null,
    },
  ]);

  const unstarted = (await make('winter')).body.id;
  expect((await remove(unstarted)).status).toBe(204);
  expect((await make('winter')).status).toBe(201);
  expect(await seller.generations()).toHaveLength(1);
});

test(
  'from rows with addresses and files to finished images and a report: so many as were agreed to, once',
  async ({ stack, seller, program }) => {
    const made = await create(program, {}, 'autumn');
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...made.body,
        name: 'Autumn',
        projectId: seller.id,
        state: 'uploading',
        rows: 2,
        round: 0,
        images: { total: 3, waiting: 3, underWay: 0, succeeded: 0, failed: 0, cancelled: 0 },
        removedAt: expect.any(String),
      },
    ]);
    const { id } = made.body;
    expect((await create(program, {}, 'autumn')).body.id).toBe(id);
    expect((await create(program, { name: 'Winter' }, 'autumn')).body.error.code).toBe(
      'IDEMPOTENCY_MISMATCH',
    );

    const { missing } = (await program<V1BatchPhotos>('GET', v1BatchPaths.photos(id))).body;
    expect(missing).toEqual([
      { sha256: hashOf(mug), name: mug, url: mug, row: 0 },
      { ...file, url: null, row: 1 },
    ]);
    const early = await act<V1Estimate>(program, id, 'start', { dryRun: true });
    expect(early.body).toMatchObject({ images: 3, refusal: { code: 'BATCH_PHOTOS_MISSING' } });
    expect((await act(program, id, 'start')).body.error.code).toBe('BATCH_PHOTOS_MISSING');
    const sent = await program('PUT', v1BatchPaths.photo(id, hashOf(mug)), { url: mug });
    expect([sent.status, sent.body]).toEqual([200, { photosMissing: 1 }]);
    const other = await program('PUT', v1BatchPaths.photo(id, file.sha256), formOf());
    expect([other.status, other.body]).toEqual([200, { photosMissing: 0 }]);

    const before = await left(seller);
    const asked = await act<V1Estimate>(program, id, 'start', { dryRun: true, maxImages: 3 });
    expect(asked.body).toMatchObject({
      dryRun: true,
      images: 3,
      refusal: null,
      balance: { left: before[0] },
    });
    const tooMany = await act(program, id, 'start', { maxImages: 2 });
    expect([tooMany.status, tooMany.body.error.code]).toEqual([409, 'MAX_IMAGES']);
    expect(await left(seller)).toEqual(before);
    expect((await program('GET', v1BatchPaths.batch(id))).body.state).toBe('uploading');

    const started = await Promise.all([1, 2].map(() => act(program, id, 'start', { maxImages: 3 })));
    expect(started.map(({ status }) => status)).toEqual([200, 200]);
    await untilState(program, id, 'ended');
    expect((await act(program, id, 'start', { maxImages: 0 })).status).toBe(200);
    expect((await act<V1Estimate>(program, id, 'start', { dryRun: true })).body).toMatchObject({
      images: 0,
      refusal: null,
    });
    expect(await left(seller)).toEqual([before[0]! - 3, 0]);

    const read = (await program('GET', v1BatchPaths.batch(id))).body;
    expect(read).toMatchObject({ round: 1, images: { total: 3, succeeded: 3, waiting: 0 }, removedAt: null });
    expect((await program<V1BatchList>('GET', v1BatchPaths.batches)).body.batches).toEqual([read]);
    const page = (await program<V1BatchRows>('GET', v1BatchPaths.rows(id))).body;
    expect(page).toMatchObject({
      next: null,
      rows: [
        { index: 0, sku: 'MUG-1', asin: null, productName: 'Mug', images: [{ state: 'succeeded' }] },
        { index: 1, sku: 'CUP-1', asin: 'B0ABCDEF12', images: [{}, { state: 'succeeded' }] },
      ],
    });
    const image = await program('GET', page.rows[1]!.images[0]!.url!);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);

    // Counted for the key that made it.
    const rowsMade = await stack.models.generations.find({ profile: seller.id }).lean();
    expect(rowsMade.map(({ api_key: by }) => by?.name)).toEqual(Array(3).fill('Shop import'));
    // The same as people have.
    expect((await seller.request<BatchList>(batchPaths.batches)).body.batches).toMatchObject([{ id }]);
    const report = await program<string>('GET', v1BatchPaths.report(id));
    expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(report.body.trim().split('\n')).toHaveLength(4);
    const choices = `?${new URLSearchParams({ pattern: '{asin}.{amazon}', presets: 'amazon-main', delimiter: ';' })}`;
    const named = await program<string>('GET', v1BatchPaths.report(id) + choices);
    expect(named.body).toContain(';"B0ABCDEF12.PT01.jpg";');
    for (const [query, { body }] of [
      ['', report],
      [choices, named],
    ] as const)
      expect(body).toBe((await seller.request<string>(batchPaths.batchReport(id) + query)).body);
    expect((await program('DELETE', v1BatchPaths.batch(id))).status).toBe(204);
    expect((await program('GET', v1BatchPaths.batch(id))).status).toBe(404);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(60_000),
);

test('the whole of a long address is told, so that another process goes on with it', async ({
  stack,
  program,
}) => {
  const signed = `${mug}?signature=`.padEnd(2_000, 'a');
  const row = { ...rows[0]!, photos: [{ url: signed }] };
  const { id } = (await create(program, { rows: [] }, 'signed')).body;
  expect((await program('POST', v1BatchPaths.rows(id), { rows: [row] })).status).toBe(200);
  const missing = async () => (await program<V1BatchPhotos>('GET', v1BatchPaths.photos(id))).body.missing;
  const [first] = await missing();
  expect(first).toEqual({
    sha256: hashOf(signed),
    name: signed.slice(0, limits.fileNameCharacters),
    url: signed,
    row: 0,
  });
  const { sha256, url } = first!;
  const sent = await program('PUT', v1BatchPaths.photo(id, sha256), { url });
  expect([sent.status, sent.body]).toEqual([200, { photosMissing: 0 }]);
  expect(await missing()).toEqual([]);

  // A server of the release before kept no address.
  const earlier = (await create(program, { rows: [row] }, 'earlier')).body.id;
  await stack.models.batchItems.updateMany({ batch: earlier }, { $unset: { 'photos.0.url': 1 } });
  const { body } = await program<V1BatchPhotos>('GET', v1BatchPaths.photos(earlier));
  expect(body.missing).toMatchObject([{ sha256, url: null }]);
  expect((await create(program, { rows: [row] }, 'earlier')).body.id).toBe(earlier);
  expect((await program('PUT', v1BatchPaths.photo(earlier, sha256), { url })).status).toBe(200);
});

test(
  'paused, continued with the number that was agreed to, and cancelled: what waits comes back',
  async ({ stack, seller, program }) => {
    await stack.images.set({ default: { kind: 'hold' } });
    const { batchWindow } = stack.server.context.config;
    const count = batchWindow + 2;
    const id = await uploaded(program, count);
    const before = await left(seller);
    expect((await act(program, id, 'start')).status).toBe(200);
    expect(await left(seller)).toEqual([before[0]! - count, count]);
    expect((await act(program, id, 'pause')).body.state).toBe('paused');
    expect((await program('DELETE', v1BatchPaths.batch(id))).body.error.code).toBe('BATCH_IN_PROGRESS');
    const { waiting } = (await program('GET', v1BatchPaths.batch(id))).body.images;
    expect(waiting).toBeGreaterThan(0);
    const asked = await act<V1Estimate>(program, id, 'resume', { dryRun: true });
    expect(asked.body).toMatchObject({ images: waiting, refusal: null });
    expect((await act(program, id, 'resume', { maxImages: waiting - 1 })).body.error.code).toBe('MAX_IMAGES');
    expect((await program('GET', v1BatchPaths.batch(id))).body.state).toBe('paused');
    expect((await act(program, id, 'resume', { maxImages: waiting })).body.state).toBe('running');
    expect((await act(program, id, 'cancel')).body.cancelled).toBe(true);
    await stack.images.release();
    await untilState(program, id, 'ended');
    const { images } = (await program('GET', v1BatchPaths.batch(id))).body;
    expect(images.succeeded + images.failed + images.cancelled).toBe(count);
    expect(await left(seller)).toEqual([before[0]! - images.succeeded, 0]);
    expect((await act(program, id, 'pause')).body.error.code).toBe('BATCH_CHANGED');
    expect((await act<V1Estimate>(program, id, 'resume', { dryRun: true })).body.refusal?.code).toBe(
      'BATCH_CHANGED',
    );
  },
  limitMs(60_000),
);

test('more images than are left: dryRun says so, and a start makes nothing', async ({
  stack,
  seller,
  program,
}) => {
  const id = await uploaded(program, 3);
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 2 } });
  const asked = await act<V1Estimate>(program, id, 'start', { dryRun: true });
  expect(asked.body).toMatchObject({ images: 3, refusal: { code: 'NO_CREDITS' }, balance: { left: 2 } });
  const refused = await act(program, id, 'start', { maxImages: 3 });
  expect([refused.status, refused.body.error.code]).toEqual([402, 'NO_CREDITS']);
  expect(refused.body.error.message).toBe(asked.body.refusal!.message);
  expect(await left(seller)).toEqual([2, 0]);
});

test('what is no batch and no photo of one is refused, and nothing is made', async ({ program }) => {
  const row = rows[1]!;
  const wrong: [details: object, field: string][] = [
    [{ rows: {} }, 'rows'],
    [{ rows: Array.from({ length: limits.batchRows + 1 }, () => row) }, 'rows'],
    [{ rows: [{ ...row, photos: [] }] }, 'rows.0.photos'],
    [{ rows: [{ ...row, photos: [{ sha256: 'x' }] }] }, 'rows.0.photos.0'],
    [{ rows: [{ ...row, numImages: limits.imagesPerRequest + 1 }] }, 'rows.0.numImages'],
    [{ rows: [{ ...row, takes: 2 }] }, ''],
    [{ rows: [{ ...row, width: 1 }] }, 'rows.0.width'],
    [{ name: { $gt: '' } }, 'name'],
    [{ projectId: 'none' }, 'projectId'],
    [{ credits: 5 }, ''],
  ];
  for (const [details, field] of wrong) {
    const { status, body } = await create(program, details as never);
    expect([details, status, body.error.field?.startsWith(field) ?? field === '']).toEqual([
      details,
      400,
      true,
    ]);
  }
  expect((await program<V1BatchList>('GET', v1BatchPaths.batches)).body.batches).toEqual([]);

  const local = 'http://127.0.0.1/mug.png';
  const { id } = (
    await create(program, { rows: [{ ...rows[0]!, photos: [{ url: mug }, { url: local }, file] }] })
  ).body;
  const put = async (sha256: string, body: object) =>
    (await program('PUT', v1BatchPaths.photo(id, sha256), body)).body.error.code;
  expect(await put(file.sha256, { url: mug })).toBe('VALIDATION');
  expect(await put(hashOf(local), { url: local })).toBe('ADDRESS_REFUSED');
  expect(await put(hashOf('https://elsewhere.example/'), { url: 'https://elsewhere.example/' })).toBe(
    'NOT_FOUND',
  );
  expect(await put(file.sha256, formOf(Buffer.concat([photo, Buffer.alloc(1)])))).toBe('VALIDATION');
  expect((await program<V1BatchPhotos>('GET', v1BatchPaths.photos(id))).body.missing).toHaveLength(3);
});
