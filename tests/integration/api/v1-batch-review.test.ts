/** What programs do with a batch that has ended: failed and chosen images again, the review, and the files. */
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { type V1Balance, type V1Generation, v1BatchPaths, v1Paths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { makeAgain } from '#server/batches/batch-actions.ts';
import { continueBatch } from '#shared/batches/run.ts';
import { reserveBatch } from '#shared/credits/batch-holds.ts';
import { restartBatch } from '#shared/data/batches/batches.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { giveKey, programOf } from '#tests/support/api-keys.ts';
import { forfeitUntil, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import {
  type BatchProgram,
  expectRefused,
  programRows,
  rowsOf,
  type Spent,
  testWithProgram,
  uploadedByProgram,
} from '#tests/support/program-batches.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';

const test = testWithProgram();
test.beforeEach(({ stack }) => stack.images.reset());

const untilEnded = (program: BatchProgram, id: string, round: number) =>
  expect
    .poll(async () => (await program('GET', v1BatchPaths.batch(id))).body, eventually)
    .toMatchObject({ state: 'ended', round });
async function ended(program: BatchProgram, rows: Parameters<typeof uploadedByProgram>[1]) {
  const id = await uploadedByProgram(program, rows);
  expect((await program('POST', `${v1BatchPaths.batch(id)}/start`)).status).toBe(200);
  await untilEnded(program, id, 1);
  return id;
}
const retry = (program: BatchProgram, id: string, body: object) =>
  program<Spent>('POST', v1BatchPaths.retry(id), body);
const again = (program: BatchProgram, id: string, body: object) =>
  program<Spent>('POST', v1BatchPaths.again(id), body);
const review = (program: BatchProgram, id: string, generations: unknown, approved: unknown = true) =>
  program('POST', v1BatchPaths.review(id), { generations, approved });
const imagesIn = async (program: BatchProgram, id: string) =>
  (await rowsOf(program, id)).flatMap(({ images }) => images);
const idsIn = async (program: BatchProgram, id: string) =>
  (await imagesIn(program, id)).map(({ generationId }) => generationId!);
const left = async (program: BatchProgram) => {
  const { left, onHold } = (await program<V1Balance>('GET', v1Paths.balance)).body;
  return [left, onHold];
};
const zipOf = async (url: string, key: string, path: string) => {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzipSync(new Uint8Array(await reply.arrayBuffer()));
};

test(
  'failed images are made again: so many as were agreed to, once for each round that was read',
  async ({ stack, program }) => {
    await stack.images.set({ behaviours: [contentRefused, contentRefused] });
    const id = await ended(program, await programRows(3));
    const before = await left(program);
    expect((await program('GET', v1BatchPaths.batch(id))).body.images).toMatchObject({
      succeeded: 1,
      failed: 2,
    });

    const asked = await retry(program, id, { round: 1, dryRun: true });
    expect([asked.status, asked.body]).toMatchObject([200, { dryRun: true, images: 2, refusal: null }]);
    expectRefused(await retry(program, id, { round: 1, maxImages: 1 }), 'MAX_IMAGES');
    expect((await retry(program, id, { round: 1, maxImages: 1, dryRun: true })).body.refusal?.code).toBe(
      'MAX_IMAGES',
    );
    expectRefused(await retry(program, id, { round: 2 }), 'BATCH_CHANGED');
    for (const body of [undefined, {}, { round: -1 }, { round: '1' }, { round: 1, credits: 1 }]) {
      expectRefused(await retry(program, id, body as object), 'VALIDATION');
    }
    expect(await left(program)).toEqual(before);

    const twice = await Promise.all([1, 2].map(() => retry(program, id, { round: 1, maxImages: 2 })));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    await untilEnded(program, id, 2);
    expect((await program('GET', v1BatchPaths.batch(id))).body.images).toMatchObject({
      total: 3,
      succeeded: 3,
    });
    // The answer was lost, and the program asks again much later: what it read is over.
    const late = await retry(program, id, { round: 1, maxImages: 2 });
    expect([late.status, late.body.state, late.body.round]).toEqual([200, 'ended', 2]);
    expect((await retry(program, id, { round: 2, dryRun: true })).body).toMatchObject({
      images: 0,
      refusal: null,
    });
    expect((await retry(program, id, { round: 2, maxImages: 0 })).body.round).toBe(2);
    expect(await left(program)).toEqual([before[0]! - 2, 0]);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(60_000),
);

test(
  'one image is made again and takes the place of the one before, which stays in the library',
  async ({ stack, program }) => {
    const id = await ended(program, await programRows(2));
    const other = await ended(program, await programRows(1));
    const [first, second] = (await idsIn(program, id)) as [string, string];
    const [strange] = (await idsIn(program, other)) as [string];
    const before = await left(program);
    const asked = await again(program, id, { round: 1, generations: [first], dryRun: true });
    expect(asked.body).toMatchObject({ images: 1, refusal: null, balance: { left: before[0] } });
    expectRefused(
      await again(program, id, { round: 1, generations: [first, second], maxImages: 1 }),
      'MAX_IMAGES',
    );
    for (const generations of [[strange], [first, 'none'], ['']]) {
      expectRefused(await again(program, id, { round: 1, generations }), 'VALIDATION', {
        field: 'generations',
      });
    }
    for (const generations of [undefined, [], 'x', [{ $gt: '' }]]) {
      expectRefused(await again(program, id, { round: 1, generations }), 'VALIDATION');
    }
    expect(await left(program)).toEqual(before);

    await stack.images.set({ default: { kind: 'hold' } });
    const made = await again(program, id, { round: 1, generations: [first], maxImages: 1 });
    expect([made.status, made.body.state]).toEqual([200, 'running']);
    // It is under way, so the same again is answered with it; nothing more of this round, and nothing of the next one yet.
    const repeated = await again(program, id, { round: 1, generations: [first], maxImages: 1 });
    expect([repeated.status, repeated.body.round]).toEqual([200, 2]);
    for (const generations of [[second], [first, second]]) {
      expectRefused(await again(program, id, { round: 1, generations }), 'BATCH_CHANGED');
    }
    expectRefused(await again(program, id, { round: 2, generations: [second] }), 'BATCH_CHANGED');
    await stack.images.reset();
    await untilEnded(program, id, 2);
    expect((await again(program, id, { round: 1, generations: [first] })).body.round).toBe(2);
    expectRefused(await again(program, id, { round: 1, generations: [second] }), 'BATCH_CHANGED');
    const [successor, kept] = await idsIn(program, id);
    expect([successor === first, kept]).toEqual([false, second]);
    expect((await program<V1Generation>('GET', v1Paths.generation(first))).body.state).toBe('succeeded');
    // It has a successor, so it is not made again.
    expect((await again(program, id, { round: 2, generations: [first], maxImages: 0 })).body).toMatchObject({
      state: 'ended',
      round: 2,
    });
    expect(await left(program)).toEqual([before[0]! - 1, 0]);

    await stack.images.reset();
    await stack.images.set({ behaviours: [contentRefused] });
    await again(program, id, { round: 2, generations: [second], maxImages: 1 });
    await untilEnded(program, id, 3);
    const images = await imagesIn(program, id);
    expect(images[1]).toMatchObject({ generationId: second, state: 'succeeded', failure: null });
    expect(images[1]!.againFailure).toMatch(/\w/);
    expect(images[0]!.againFailure).toBe(null);
    expect(await left(program)).toEqual([before[0]! - 1, 0]);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(60_000),
);

test(
  'of requests for different images that read the same round one is carried out, and the other is told to look again',
  async ({ stack, seller, program }) => {
    await stack.images.set({ behaviours: [contentRefused] });
    const id = await ended(program, await programRows(3));
    const images = await imagesIn(program, id);
    const good = images.flatMap(({ state, generationId }) => (state === 'succeeded' ? [generationId!] : []));
    expect(good).toHaveLength(2);
    const [first, second] = good as [string, string];
    const before = await left(program);
    const rowOf = async () => (await stack.models.batches.findById(id).lean())!;

    const both = await Promise.all(
      good.map((image) => again(program, id, { round: 1, generations: [image], maxImages: 1 })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await untilEnded(program, id, 2);
    await expect.poll(() => left(program), eventually).toEqual([before[0]! - 1, 0]);
    // The failed image was there in round 1, and is not made again yet.
    expectRefused(await retry(program, id, { round: 1 }), 'BATCH_CHANGED');

    // Windows of the web app have read the batch at the same moment.
    const made = both[0]!.status === 200 ? second : first;
    const { context } = stack.server;
    const seen = await rowOf();
    await makeAgain(context, seen, [made]);
    const late = images.find(({ state }) => state === 'failed')!.generationId!;
    await expect(makeAgain(context, seen, [late])).rejects.toMatchObject({ code: 'BATCH_CHANGED' });
    await makeAgain(context, seen, [made]);
    await untilEnded(program, id, 3);
    await expect.poll(() => left(program), eventually).toEqual([before[0]! - 2, 0]);

    // A process dies right after it has decided: the images are made nevertheless, and the same request knows.
    const batch = await rowOf();
    const profile = (await findActiveProfile(stack.db, seller.id))!;
    const reservation = { batch: id, key: `${id}:4`, count: 1 };
    await reserveBatch(stack.db, profile, reservation, 1_000);
    const part = (await stack.models.generations.findById(late).lean())!.batch!;
    await restartBatch(stack.db, batch, [{ generation: late, row: part.row, take: part.take, attempt: 2 }]);
    const same = await again(program, id, { round: 3, generations: [late] });
    expect([same.status, same.body.round]).toEqual([200, 4]);
    expect((await retry(program, id, { round: 3 })).status).toBe(200);
    await continueBatch(workerContext(stack), id);
    await untilEnded(program, id, 4);
    expect((await program('GET', v1BatchPaths.batch(id))).body.images).toMatchObject({ succeeded: 3 });
    await expect.poll(() => left(program), eventually).toEqual([before[0]! - 3, 0]);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(60_000),
);

test('more images than are left: none is made again, and dryRun says so', async ({
  stack,
  seller,
  program,
}) => {
  const id = await ended(program, await programRows(2));
  await forfeitUntil(stack, seller, 1);
  const body = { round: 1, generations: await idsIn(program, id) };
  const asked = await again(program, id, { ...body, dryRun: true });
  expect(asked.body).toMatchObject({ images: 2, refusal: { code: 'NO_CREDITS' }, balance: { left: 1 } });
  const refused = await again(program, id, { ...body, maxImages: 2 });
  expectRefused(refused, 'NO_CREDITS', { message: asked.body.refusal!.message });
  expect((await program('GET', v1BatchPaths.batch(id))).body).toMatchObject({ state: 'ended', round: 1 });
  expect(await left(program)).toEqual([1, 0]);
});

test('a batch that is not started, or under way, has nothing to make again', async ({ stack, program }) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const id = await uploadedByProgram(program, await programRows(1));
  expectRefused(await retry(program, id, { round: 0 }), 'BATCH_CHANGED');
  expect((await retry(program, id, { round: 0, dryRun: true })).body).toMatchObject({
    images: 0,
    refusal: { code: 'BATCH_CHANGED' },
  });
  expectRefused(await program('GET', v1BatchPaths.export(id)), 'NOT_FOUND', {
    message: 'No image of this batch is finished.',
  });
  await program('POST', `${v1BatchPaths.batch(id)}/start`);
  expect((await retry(program, id, { round: 1, maxImages: 0 })).body.state).toBe('running');
  await expect.poll(async () => (await imagesIn(program, id))[0]!.generationId, eventually).not.toBe(null);
  expectRefused(await again(program, id, { round: 1, generations: await idsIn(program, id) }), 'VALIDATION');
  await stack.images.reset();
  await untilEnded(program, id, 1);
});

test(
  'what was reviewed is exported: approved images alone, named for the shop, and its table with these names',
  async ({ stack, seller, program }) => {
    const key = await giveKey(stack, seller);
    const [first] = await programRows(1, 0, { asin: 'B000123456', numImages: 2 });
    const [second] = await programRows(1, 1);
    const id = await ended(program, [first!, second!]);
    const images = await idsIn(program, id);
    expectRefused(await program('GET', `${v1BatchPaths.export(id)}?only=approved`), 'NOT_FOUND', {
      message: 'No image of this batch is approved.',
    });
    expect((await review(program, id, [images[0], images[2]])).status).toBe(200);
    // The same again, as after no answer.
    expect((await review(program, id, [images[0], images[2]])).status).toBe(200);
    expect((await imagesIn(program, id)).map(({ approved }) => approved)).toEqual([true, false, true]);
    expect((await review(program, id, [images[2]], false)).status).toBe(200);
    expect((await imagesIn(program, id)).map(({ approved }) => approved)).toEqual([true, false, false]);
    for (const [generations, approved] of [
      [['none'], true],
      [[], true],
      [[images[0]], 'yes'],
      [[images[0]], null],
      [{ $gt: '' }, true],
    ]) {
      expectRefused(await review(program, id, generations, approved), 'VALIDATION');
    }

    const amazon = 'presets=amazon-main&pattern={asin}.{amazon}&only=approved';
    const approved = await zipOf(stack.url, key, `${v1BatchPaths.export(id)}?${encodeURI(amazon)}`);
    expect(Object.keys(approved)).toEqual(['B000123456.MAIN.jpg']);
    // A JPEG of its own, not the image as it was made.
    expect([...approved['B000123456.MAIN.jpg']!.slice(0, 2)]).toEqual([0xff, 0xd8]);
    const both = await zipOf(stack.url, key, `${v1BatchPaths.export(id)}?presets=ebay,etsy`);
    expect(Object.keys(both)).toHaveLength(6);
    expect(new Set(Object.keys(both).map((name) => name.split('/')[0])).size).toBe(2);
    const whole = await zipOf(stack.url, key, v1BatchPaths.export(id));
    // What people download, byte for byte in names and order.
    const ofPeople = unzipSync(
      new Uint8Array(await (await seller.fetch(batchPaths.batchArchive(id))).arrayBuffer()),
    );
    expect(Object.entries(whole)).toEqual(Object.entries(ofPeople));

    const query = `?system=woocommerce&base=https://shop.example/files&${encodeURI(amazon)}`;
    const table = await program<string>('GET', v1BatchPaths.products(id) + query);
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(table.body).toContain('https://shop.example/files/B000123456.MAIN.jpg');
    expect(table.body).toBe((await seller.request<string>(batchPaths.batchProducts(id) + query)).body);

    for (const wrong of [
      'presets=none',
      'presets=',
      'presets=ebay,ebay',
      'only=none',
      'pattern=',
      'format=gif',
      'x=1',
    ]) {
      expectRefused(await program('GET', `${v1BatchPaths.export(id)}?${wrong}`), 'VALIDATION');
      expectRefused(
        await program('GET', `${v1BatchPaths.products(id)}?system=shopify&${wrong}`),
        'VALIDATION',
      );
    }
    for (const wrong of ['', '?system=magento', '?system=shopify&base=javascript:alert(1)']) {
      expectRefused(await program('GET', v1BatchPaths.products(id) + wrong), 'VALIDATION');
    }
    // An image in the trash is in no file.
    expect((await program('DELETE', v1Paths.generation(images[0]!))).status).toBe(204);
    expect(Object.keys(await zipOf(stack.url, key, v1BatchPaths.export(id)))).toHaveLength(2);
    expect((await program('DELETE', v1BatchPaths.batch(id))).status).toBe(204);
    expectRefused(await program('GET', v1BatchPaths.export(id)), 'NOT_FOUND');
  },
  limitMs(60_000),
);

test('products of one SKU have files of their own; an image that is gone ends the ZIP before its end', async ({
  stack,
  seller,
  program,
}) => {
  const key = await giveKey(stack, seller);
  const skus = ['CUP', 'cup', 'CUP'];
  const rows = await Promise.all(skus.map(async (sku) => (await programRows(1, 0, { sku }))[0]!));
  const id = await ended(program, rows);
  const path = `${v1BatchPaths.export(id)}?pattern=${encodeURIComponent('{sku}')}`;
  const names = Object.keys(await zipOf(stack.url, key, path));
  // Also where large and small letters are the same.
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  const [, second] = await idsIn(program, id);
  await stack.server.context.storage.removeGeneration(second!);
  const reply = await fetch(stack.url + path, { headers: { authorization: `Bearer ${key}` } });
  await expect(reply.arrayBuffer()).rejects.toThrow();
});

test(
  'in the sandbox all of it happens without provider and balance',
  async ({ stack, seller, program }) => {
    const before = await left(program);
    const key = await giveKey(stack, seller, { test: true });
    const tests: BatchProgram = programOf(stack.url, key);
    const [fails] = await programRows(1, 1, { prompt: 'test: blocked by safety' });
    const id = await ended(tests, [...(await programRows(1)), fails!]);
    expect((await retry(tests, id, { round: 1, dryRun: true })).body.images).toBe(1);
    expect((await retry(tests, id, { round: 1, maxImages: 1 })).status).toBe(200);
    await untilEnded(tests, id, 2);
    const [image] = await idsIn(tests, id);
    expect((await review(tests, id, [image])).status).toBe(200);
    const zip = await zipOf(stack.url, key, `${v1BatchPaths.export(id)}?only=approved&presets=ebay`);
    expect(Object.keys(zip)).toEqual(['S-0-1.jpg']);
    expect((await again(tests, id, { round: 2, generations: [image], maxImages: 1 })).status).toBe(200);
    await untilEnded(tests, id, 3);
    expect((await imagesIn(tests, id))[0]).toMatchObject({ state: 'succeeded', approved: false });
    for (const path of [v1BatchPaths.export(id), v1BatchPaths.batch(id)]) {
      expectRefused(await program('GET', path), 'NOT_FOUND');
    }
    expect(await left(program)).toEqual(before);
  },
  limitMs(60_000),
);

test('each round is an event of its own, with the number of the round', async ({
  stack,
  seller,
  program,
}) => {
  await stack.images.set({ behaviours: [contentRefused] });
  const id = await ended(program, await programRows(1));
  await retry(program, id, { round: 1, maxImages: 1 });
  await untilEnded(program, id, 2);
  const told = await stack.models.sellerEvents
    .find({ profile: seller.id, type: 'batch.finished' })
    .sort({ place: 1 })
    .lean();
  const bodies = told.map(({ body }) => JSON.parse(body!).data);
  expect(bodies).toMatchObject([
    { id, round: 1, images: { failed: 1, succeeded: 0 } },
    { id, round: 2, images: { failed: 0, succeeded: 1 } },
  ]);
});
