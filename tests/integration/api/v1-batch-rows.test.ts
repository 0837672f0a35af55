/** Rows that programs add to a batch before it is started: all of them or none, once, and never past a start. */
import { expect } from 'vitest';
import { type BatchView, limits, type V1Batch, type V1BatchRows, v1BatchPaths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { runAction } from '#server/batches/batch-actions.ts';
import { beginAddition } from '#shared/data/batches/batches.ts';
import type { BatchItemRow } from '#shared/data/batches/schema.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { call } from '#tests/support/account.ts';
import { giveKey, programOf } from '#tests/support/api-keys.ts';
import { doBefore } from '#tests/support/come-between.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
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
import type { Answer, Seller } from '#tests/support/seller.ts';

const test = testWithProgram();
test.afterEach(({ stack }) => stack.images.reset());

const addRows = (program: BatchProgram, id: string, rows: unknown, key?: string) =>
  program('POST', v1BatchPaths.rows(id), { rows }, key === undefined ? {} : { 'idempotency-key': key });
const start = (program: BatchProgram, id: string, body: object = {}) =>
  program<Spent>('POST', `${v1BatchPaths.batch(id)}/start`, body);
const read = async (program: BatchProgram, id: string) => (await program('GET', v1BatchPaths.batch(id))).body;
const skusOf = async (program: BatchProgram, id: string) => (await rowsOf(program, id)).map(({ sku }) => sku);
const held = async (seller: Seller) => (await seller.me()).subscription.generationsHeld;

test(
  'from an empty batch, rows are added one request after the other, and made as one batch',
  async ({ stack, seller, program }) => {
    const empty = await program('POST', v1BatchPaths.batches, { name: 'Autumn' }, { 'idempotency-key': 'a' });
    expect([empty.status, empty.body.rows, empty.body.images.total]).toEqual([201, 0, 0]);
    const { id } = empty.body;
    expect((await program<V1BatchRows>('GET', v1BatchPaths.rows(id))).body).toEqual({ rows: [], next: null });
    expectRefused(await start(program, id), 'BATCH_EMPTY');
    expect((await start(program, id, { dryRun: true })).body.refusal?.code).toBe('BATCH_EMPTY');

    const first = await addRows(program, id, await programRows(2), 'first');
    expect([first.status, first.body]).toEqual([
      200,
      { ...empty.body, rows: 2, images: { ...empty.body.images, total: 2, waiting: 2 } },
    ]);
    // No answer arrived: the same again adds nothing. Another key is another addition, also of the same rows.
    expect((await addRows(program, id, await programRows(2), 'first')).body).toEqual(first.body);
    expectRefused(await addRows(program, id, await programRows(3), 'first'), 'IDEMPOTENCY_MISMATCH');
    const second = await addRows(program, id, await programRows(1, 2, { numImages: 2 }), 'second');
    expect(second.body).toMatchObject({ rows: 3, images: { total: 4, waiting: 4, cancelled: 0 } });
    expect(await skusOf(program, id)).toEqual(['S-0', 'S-1', 'S-2']);

    expectRefused(await start(program, id), 'BATCH_PHOTOS_MISSING');
    const whole = await uploadedByProgram(program, await programRows(1));
    expect((await addRows(program, whole, await programRows(3, 1))).body.rows).toBe(4);
    // Their photo is there already.
    expect((await program('GET', v1BatchPaths.photos(whole))).body).toEqual({ missing: [] });
    expectRefused(await start(program, whole, { maxImages: 3 }), 'MAX_IMAGES');
    expect((await start(program, whole, { maxImages: 4 })).status).toBe(200);
    await expect.poll(async () => (await read(program, whole)).state, eventually).toBe('ended');
    expect((await read(program, whole)).images).toMatchObject({ total: 4, succeeded: 4 });
    expect(await skusOf(program, whole)).toEqual(['S-0', 'S-1', 'S-2', 'S-3']);
    await expect.poll(() => held(seller), eventually).toBe(0);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(60_000),
);

test('rows of a started batch are refused with a way on, and those that were added before stay known', async ({
  stack,
  program,
}) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const id = await uploadedByProgram(program, await programRows(1));
  const rows = await programRows(1, 1);
  const added = await addRows(program, id, rows, 'late');
  expect(added.status).toBe(200);
  expect((await start(program, id)).status).toBe(200);
  const refused = await addRows(program, id, rows, 'later');
  expectRefused(refused, 'BATCH_STARTED', {
    message:
      'This batch was started already: its images are on hold, so no rows can be added. Make another batch of them.',
  });
  expect((await addRows(program, id, rows, 'late')).body).toMatchObject({ state: 'running', rows: 2 });
  await stack.images.reset();
  await expect.poll(async () => (await read(program, id)).state, eventually).toBe('ended');
  expectRefused(await addRows(program, id, rows), 'BATCH_STARTED');
  expect((await program('DELETE', v1BatchPaths.batch(id))).status).toBe(204);
  expectRefused(await addRows(program, id, rows), 'NOT_FOUND');
});

test('wrong rows, too many of them, and no plan: nothing is added', async ({ stack, seller, program }) => {
  const id = await uploadedByProgram(program, await programRows(2));
  const [row] = await programRows(1);
  const wrong: [rows: unknown, field: string][] = [
    [[], 'rows'],
    [undefined, 'rows'],
    [{}, 'rows'],
    [[{ ...row, photos: [] }], 'rows.0.photos'],
    [[row, { ...row, prompt: '' }], 'rows.1.prompt'],
    [[row, { ...row, width: 1 }], 'rows.1.width'],
    [[{ ...row, numImages: 0 }], 'rows.0.numImages'],
    [[{ ...row, sku: { $gt: '' } }], 'rows.0.sku'],
    [await programRows(limits.batchRows + 1), 'rows'],
  ];
  for (const [rows, field] of wrong) {
    const { status, body } = await addRows(program, id, rows);
    expect([rows, status, body.error.field?.startsWith(field)]).toEqual([rows, 400, true]);
  }
  expectRefused(await addRows(program, id, await programRows(limits.batchRows - 1)), 'VALIDATION', {
    field: 'rows',
    message: `A batch has at most ${limits.batchRows} rows, and this one has 2 already.`,
  });
  for (const key of ['', 'with space', 'x'.repeat(limits.idempotencyKeyCharacters + 1)]) {
    expectRefused(await addRows(program, id, [row], key), 'VALIDATION', { field: 'Idempotency-Key' });
  }
  const before = (await stack.models.batches.findById(id).lean())!;
  await stack.models.batches.updateOne({ _id: id }, { $set: { bytes: limits.unstartedBytes } });
  expectRefused(await addRows(program, id, [row]), 'BATCH_LIMIT');
  expect((await stack.models.batches.findById(id).lean())!.bytes).toBe(limits.unstartedBytes);
  await stack.models.batches.updateOne({ _id: id }, { $set: { bytes: before.bytes } });
  expect(await read(program, id)).toMatchObject({ state: 'uploading', rows: 2 });
  expect(await stack.models.batchItems.countDocuments({ batch: id })).toBe(2);
  // Up to the limit there is room.
  expect((await addRows(program, id, await programRows(limits.batchRows - 2, 2))).body.rows).toBe(
    limits.batchRows,
  );
  await forfeitUntil(stack, seller, 0);
  expectRefused(await addRows(program, id, [row]), 'NO_CREDITS');
});

test('of a batch that two servers make at the same moment, there is one; whoever asks before it is stored is told to ask again', async ({
  stack,
  seller,
  program,
}) => {
  const other = await stack.startServer();
  const there: BatchProgram = programOf(other.url, await giveKey(stack, seller));
  const ask = (caller: BatchProgram, name = 'Once') =>
    caller('POST', v1BatchPaths.batches, { name }, { 'idempotency-key': 'once' });
  // Neither server found a batch under the key, and the other one is first.
  const answers: Answer<V1Batch>[] = [];
  const { batches } = modelsOf(stack.server.context.db);
  doBefore(batches, 'insertOne', async () => void answers.push(await ask(there)));
  answers.push(await ask(program));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const [id, same] = answers.map(({ body }) => body.id);
  expect(same).toBe(id);
  expectRefused(await ask(there, 'Twice'), 'IDEMPOTENCY_MISMATCH');

  await stack.models.batches.updateOne({ _id: id! }, { $set: { state: 'receiving' } });
  const early = await ask(there);
  expectRefused(early, 'UNAVAILABLE');
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
  await stack.models.batches.updateOne({ _id: id! }, { $set: { state: 'uploading' } });
  expect((await ask(there)).body.id).toBe(id);
  await other.close();
});

test(
  'rows that are added at the same moment, on two servers, are all there, each once and in one order',
  async ({ stack, seller, program }) => {
    const other = await stack.startServer();
    const there: BatchProgram = programOf(other.url, await giveKey(stack, seller));
    const id = await uploadedByProgram(program, await programRows(1));
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const rows = await programRows(2, 10 * (index + 1));
        // Each of them twice: the answer to one of them is lost.
        return Promise.all([addRows(program, id, rows, `${index}`), addRows(there, id, rows, `${index}`)]);
      }),
    );
    expect(answers.flat().map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await read(program, id)).toMatchObject({ rows: 13, images: { total: 13, waiting: 13 } });
    const skus = await skusOf(program, id);
    expect(skus).toHaveLength(13);
    expect(new Set(skus).size).toBe(13);
    for (let index = 1; index < 13; index += 2) expect(skus[index + 1]).toBe(skus[index]!.replace(/0$/, '1'));
    await other.close();
  },
  limitMs(60_000),
);

test(
  'rows and a start at the same moment: either they are made, or they are refused; what is held is what is made',
  async ({ stack, seller, program }) => {
    const { generationsLeft: before } = (await seller.me()).subscription;
    let made = 0;
    for (let round = 0; round < 8; round += 1) {
      const id = await uploadedByProgram(program, await programRows(1));
      const rows = await programRows(2, 1);
      const [added, started] = await Promise.all([
        addRows(program, id, rows),
        // One that agreed to the first row alone never makes more.
        start(program, id, { maxImages: 1 }),
      ]);
      const batch = await stack.models.batches.findById(id).lean();
      if (started.status === 200) {
        expectRefused(added, 'BATCH_STARTED');
        expect(batch).toMatchObject({ rows: 1, images: 1 });
        made += 1;
      } else {
        expect(added.status).toBe(200);
        expect(['BATCH_CHANGED', 'MAX_IMAGES']).toContain(started.body.error.code);
        expect(batch).toMatchObject({ state: 'uploading', rows: 3, images: 3 });
        // Nothing of the refused start is left on hold.
        expectRefused(await start(program, id, { maxImages: 2 }), 'MAX_IMAGES');
        expect((await start(program, id, { maxImages: 3 })).status).toBe(200);
        made += 3;
      }
      await expect.poll(async () => (await read(program, id)).state, eventually).toBe('ended');
      expect((await read(program, id)).images.succeeded).toBe(batch!.images);
    }
    await expect
      .poll(async () => (await seller.me()).subscription, eventually)
      .toMatchObject({ generationsLeft: before! - made, generationsHeld: 0 });
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
  limitMs(120_000),
);

test('who saw a batch in the app before a program added rows makes none of them', async ({
  stack,
  seller,
  program,
}) => {
  const id = await uploadedByProgram(program, await programRows(1));
  const startInApp = (body: object) =>
    call<BatchView>(seller, 'POST', batchPaths.batchAction(id, 'start'), body);
  expect((await addRows(program, id, await programRows(2, 1))).status).toBe(200);
  expectError(await startInApp({ images: 1 }), 'BATCH_CHANGED');
  expectError(await startInApp({ images: -1 }), 'VALIDATION', { field: 'images' });
  expect(await held(seller)).toBe(0);
  expect((await startInApp({ images: 3 })).body.state).toBe('running');
  // Again, as after no answer.
  expect((await startInApp({ images: 3 })).status).toBe(200);
  await expect.poll(async () => (await read(program, id)).state, eventually).toBe('ended');
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a start that read its batch before rows were added gives its hold back', async ({
  stack,
  seller,
  program,
}) => {
  const id = await uploadedByProgram(program, await programRows(1));
  const seen = (await stack.models.batches.findById(id).lean())!;
  expect((await addRows(program, id, await programRows(2, 1))).status).toBe(200);
  const { generationsLeft } = (await seller.me()).subscription;
  const started = runAction(stack.server.context, seen, { name: 'start', network: '127.0.0.1' });
  await expect(started).rejects.toMatchObject({ code: 'BATCH_CHANGED' });
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft, generationsHeld: 0 });
  expect(await read(program, id)).toMatchObject({ state: 'uploading', images: { total: 3 } });
  // Another one, which read them, has a hold of its own, whatever became of the first one.
  expect((await start(program, id, { maxImages: 3 })).status).toBe(200);
  await expect.poll(async () => (await read(program, id)).state, eventually).toBe('ended');
  await expect.poll(() => held(seller), eventually).toBe(0);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('rows that were checked before a start, and are decided about after it, are refused', async ({
  stack,
  program,
}) => {
  const { batches } = modelsOf(stack.server.context.db);
  const id = await uploadedByProgram(program, await programRows(1));
  const begin = async () => expect((await start(program, id, { maxImages: 1 })).status).toBe(200);
  // The first update counts their bytes, and the second one decides.
  doBefore(batches, 'findOneAndUpdate', async () => doBefore(batches, 'findOneAndUpdate', begin));
  expectRefused(await addRows(program, id, await programRows(2, 1)), 'BATCH_STARTED');
  await expect.poll(async () => (await read(program, id)).state, eventually).toBe('ended');
  expect(await read(program, id)).toMatchObject({ rows: 1, images: { total: 1, succeeded: 1 } });
  expect(await skusOf(program, id)).toEqual(['S-0']);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('what a process that died had decided to add is there for the next request, whichever it is', async ({
  stack,
  seller,
  program,
}) => {
  const died = async (id: string, from: number) => {
    const batch = (await stack.models.batches.findById(id).lean())!;
    const { _id: _, ...like } = (await stack.models.batchItems.findOne({ batch: id }).lean())!;
    const item: BatchItemRow = { ...like, _id: `${id}-${from}`, index: from, sku: `S-${from}` };
    expect(
      await beginAddition(stack.db, batch, [{ ...item, added: { key: 'died', fingerprint: 'f' } }]),
    ).not.toBe(null);
    // Nothing of it is shown yet, and no number is wrong meanwhile.
    expect(await read(program, id)).toMatchObject({ rows: from, images: { total: from, cancelled: 0 } });
    expect(await rowsOf(program, id)).toHaveLength(from);
  };
  const id = await uploadedByProgram(program, await programRows(1));
  await died(id, 1);
  // Whoever starts it agreed to one image.
  expectRefused(await start(program, id, { maxImages: 1 }), 'BATCH_CHANGED');
  expect(await held(seller)).toBe(0);
  expect(await skusOf(program, id)).toEqual(['S-0', 'S-1']);
  expectRefused(await addRows(program, id, await programRows(1), 'died'), 'IDEMPOTENCY_MISMATCH');
  await died(id, 2);
  expect((await addRows(program, id, await programRows(1, 3))).body.rows).toBe(4);
  expect(await skusOf(program, id)).toEqual(['S-0', 'S-1', 'S-2', 'S-3']);
  // One that is deleted takes it along.
  await died(id, 4);
  expect((await program('DELETE', v1BatchPaths.batch(id))).status).toBe(204);
  expect(await stack.models.batchItems.countDocuments({ batch: id })).toBe(0);
});

test('a key of tests adds rows to batches of tests, and a key without the scope to none', async ({
  stack,
  seller,
  program,
}) => {
  const id = await uploadedByProgram(program, await programRows(1));
  const tests: BatchProgram = programOf(stack.url, await giveKey(stack, seller, { test: true }));
  const rows = await programRows(1, 1);
  expectRefused(await addRows(tests, id, rows), 'NOT_FOUND');
  const ofTests = await uploadedByProgram(tests, await programRows(1));
  expect((await addRows(tests, ofTests, rows)).body.rows).toBe(2);
  expectRefused(await addRows(program, ofTests, rows), 'NOT_FOUND');
  const reader: BatchProgram = programOf(
    stack.url,
    await giveKey(stack, seller, { scopes: ['generations:read', 'library:write', 'exports:read'] }),
  );
  expectRefused(await addRows(reader, id, rows), 'API_KEY_SCOPE');
  expect((await program<V1Batch>('GET', v1BatchPaths.batch(id))).body.rows).toBe(1);
});
