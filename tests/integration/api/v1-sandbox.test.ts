/** The sandbox: test images cost nothing, are never among real ones, and do what their scenes say. */
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import {
  type ErrorReply,
  errorDefinitions,
  exportPresetIds,
  type LookView,
  limits,
  paths,
  type V1Balance,
  type V1Batch,
  type V1Created,
  type V1Estimate,
  type V1Generation,
  type V1GenerationList,
  type V1Project,
  v1BatchPaths,
  v1EventsPath,
  v1ExportPaths,
  v1LibraryPaths,
  v1Paths,
  v1UsagePath,
  v1WebhookPaths,
  type Webhook,
  type WebhookList,
  type WebhookWithSecret,
  webhookPaths,
} from '#contract';
import { testScenes } from '#contract/test-scenes.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { deletedBatches } from '#shared/data/batches/schema.ts';
import { collectionsApart } from '#shared/data/collection.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { projects } from '#shared/data/projects.ts';
import { sandboxOf, testSellerOf } from '#shared/data/test-seller.ts';
import { eventIdOf, recordEvent } from '#shared/data/webhooks/events.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { call } from '#tests/support/account.ts';
import { giveKey, type Program, programOf } from '#tests/support/api-keys.ts';
import { scopeOfRoute } from '#tests/support/api-scopes.ts';
import { sha256Of } from '#tests/support/batches.ts';
import { workerContext } from '#tests/support/credits.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { type BatchProgram, programRows, uploadedByProgram } from '#tests/support/program-batches.ts';
import type { Seller } from '#tests/support/seller.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { startWebhookReceiver } from '#tests/support/webhook-receiver.ts';
import { removeOldTests } from '#worker/sandbox/remove-old.ts';

const photo = await samplePhoto();
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithSeller({ settings: { ...frequentUpkeep, WEBHOOKS_TO_LOOPBACK: 'true' } })
  .extend('program', async ({ stack, seller }) =>
    programOf(stack.url, await giveKey(stack, seller, { test: true })),
  )
  .extend('live', async ({ stack, seller }) => programOf(stack.url, await giveKey(stack, seller)));

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.append('photos', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'cup.png');
  return form;
};

const create = <Body = V1Created & ErrorReply>(
  program: Program,
  prompt: string,
  fields: Record<string, string> = {},
) => program<Body>('POST', v1Paths.generations, formOf({ prompt, ...fields }));

const ended = async (program: Program, { id }: Pick<V1Generation, 'id'>) =>
  (await program<V1Generation>('GET', `${v1Paths.generation(id)}?wait=${limits.apiWaitSeconds}`)).body;

/** A test image that has ended. */
async function made(program: Program, prompt = 'On a wooden table'): Promise<V1Generation> {
  const { status, body } = await create(program, prompt);
  expect(status).toBe(202);
  return ended(program, body.generations[0]!);
}

test('a row whose scene refuses a request refuses the start of its batch, and the daily limit has it wait', async ({
  stack,
  seller,
  program,
}) => {
  const tests = program as unknown as BatchProgram;
  const batchOf = async (prompt: string) =>
    uploadedByProgram(tests, [...(await programRows(1)), ...(await programRows(1, 1, { prompt }))]);
  const start = (id: string, body: object = {}) =>
    tests<V1Batch & V1Estimate & ErrorReply>('POST', v1BatchPaths.action(id, 'start'), body);
  const refusals = Object.entries(testScenes).flatMap(([words, { outcome }]) =>
    'refused' in outcome && outcome.refused !== 'DAILY_LIMIT' ? [[words, outcome.refused] as const] : [],
  );
  expect(refusals.length).toBeGreaterThan(3);
  for (const [words, code] of refusals) {
    const id = await batchOf(`${words}, on a table`);
    const { body } = await start(id, { dryRun: true });
    // What is no answer about the request itself is an error of the estimate, too.
    expect(errorDefinitions[code][0] >= 500 ? body.error.code : body.refusal?.code).toBe(code);
    expect((await start(id)).body.error.code).toBe(code);
    expect((await tests<V1Batch>('GET', v1BatchPaths.batch(id))).body.state).toBe('uploading');
  }
  expect(await sandboxRows(stack, seller)).toHaveLength(0);

  const id = await batchOf('test: daily limit');
  expect((await start(id, { dryRun: true })).body.refusal).toBeNull();
  expect((await start(id)).status).toBe(200);
  const read = async () => (await tests<V1Batch>('GET', v1BatchPaths.batch(id))).body;
  await expect
    .poll(read, eventually)
    .toMatchObject({ waitsUntil: expect.any(String), images: { succeeded: 1, waiting: 1 } });
  expect((await tests('POST', v1BatchPaths.action(id, 'cancel'))).status).toBe(200);
  await expect.poll(read, eventually).toMatchObject({ state: 'ended', images: { cancelled: 1 } });
});

/** Everything in the database that tells what is real. */
async function whatIsReal({ models }: TestStack): Promise<Record<string, unknown>> {
  const { profiles, creditEntries, generations, notifications, refusals, unpaidCalls } = models;
  const { queueLanes, providerCosts, durations, batches, projects, userSettings } = models;
  const all = { profiles, creditEntries, generations, notifications, refusals, unpaidCalls };
  const more = { queueLanes, providerCosts, durations, batches, projects, userSettings };
  const read = Object.entries({ ...all, ...more }).map(async ([name, model]) => [
    name,
    await (model as typeof profiles).find().sort({ _id: 1 }).lean(),
  ]);
  // A minute is there as soon as its figures are read: what was made and what failed in it counts.
  const minutes = await models.minutes.find().lean();
  const mails = await models.mails.find().sort({ _id: 1 }).select({ _id: 1 }).lean();
  return {
    // Those of before are on their way.
    mails,
    ...Object.fromEntries(await Promise.all(read)),
    made: minutes.reduce((sum, { images }) => sum + images, 0),
    failed: minutes.flatMap(({ failures = {} }) => Object.entries(failures)),
  };
}

test('a test image comes into being as a real one does, with a watermark, and nobody is asked', async ({
  stack,
  seller,
  program,
}) => {
  const before = await whatIsReal(stack);
  const shown: string[] = [];
  const unsubscribe = await stack.server.context.relay.subscribe(
    testSellerOf(seller.id),
    ({ generation }) => {
      if (generation?.progress) shown.push(`${generation.progress.stage} ${generation.progress.previews}`);
    },
  );
  const { status, body } = await create(program, 'On a wooden table', { productName: 'Cup' });
  expect(status).toBe(202);
  const [first] = body.generations as [V1Generation];
  expect(first).toMatchObject({ mode: 'test', state: 'queued', productName: 'Cup' });
  await ended(program, first);
  await unsubscribe();
  expect(shown).toEqual(expect.arrayContaining(['sending 0', 'drawing 1']));
  const done = await ended(program, first);
  expect(done).toMatchObject({ state: 'succeeded', mode: 'test', imageUsed: true, failure: null });
  await expect.poll(async () => (await ended(program, first)).match, eventually).toBe('high');

  const { key } = (await sandboxRows(stack, seller)).find(({ _id }) => _id === first.id)!.image!;
  const image = (await stack.server.context.storage.get(key))!;
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([1024, 1024]);
  // The background is of one colour, so what differs from it along a line is the mark.
  const line = Array.from({ length: 1024 }, (_, x) => data[(40 * 1024 + x) * 3]!);
  expect(Math.max(...line) - Math.min(...line)).toBeGreaterThan(20);

  expect((await stack.images.state()).calls).toEqual([]);
  expect(await whatIsReal(stack)).toEqual(before);
  expect(await stack.audit('contents')).toEqual([]);
  expect((await seller.generations()).length).toBe(0);
});

/** The test images of a seller as they are stored. */
async function sandboxRows(stack: TestStack, { id }: Pick<Seller, 'id'>): Promise<GenerationRow[]> {
  const profile = testSellerOf(id);
  return inSandbox(stack, 'test_generations').find({ profile }).lean<GenerationRow[]>();
}

const inSandbox = (stack: TestStack, name: string) =>
  collectionsApart()
    .map((collection) => collection(sandboxOf(stack.db)))
    .find(({ collection }) => collection.name === name)!;

const sceneOf = (words: string) => words.replace('slow 30 s', 'slow 2 s');

test.for(Object.entries(testScenes))('%s', async ([words, { outcome }], { stack, seller, program }) => {
  const count = words === 'test: first image fails' ? 2 : 1;
  const { status, body, headers } = await create(program, `${sceneOf(words)}, on a table`, {
    numImages: `${count}`,
  });
  if ('refused' in outcome) {
    expect(body.error.code).toBe(outcome.refused);
    if ([429, 503].includes(status) && outcome.refused !== 'STORAGE_UNAVAILABLE') {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await sandboxRows(stack, seller)).length).toBe(0);
    return;
  }
  expect(status).toBe(202);
  const [first, second] = body.generations as [V1Generation, V1Generation?];
  expect(body.generations).toHaveLength(count);
  let seconds = 0;
  const done = await ended(program, first);
  if (done.startedAt && done.endedAt)
    seconds = (Date.parse(done.endedAt) - Date.parse(done.startedAt)) / 1_000;
  expect(done).toMatchObject({
    state: outcome.state,
    failure: outcome.failure ? { code: outcome.failure } : null,
    imageUsed: outcome.state === 'succeeded' || (outcome.imageUsed ?? false),
  });
  if (words.startsWith('test: slow')) expect(seconds).toBeGreaterThan(1.9);
  if (outcome.match)
    await expect.poll(async () => (await ended(program, first)).match, eventually).toBe('low');
  if (second) expect(await ended(program, second)).toMatchObject({ state: 'succeeded' });
  if (outcome.attempts) {
    const row = (await sandboxRows(stack, seller)).find(({ _id }) => _id === first.id);
    expect(row!.calls.started).toBe(outcome.attempts);
  }
  expect((await stack.images.state()).calls).toEqual([]);
});

test('a low match is made again at no charge, and a change does what its instruction says', async ({
  program,
}) => {
  const low = await made(program, 'test: low match');
  await expect.poll(async () => (await ended(program, low)).remake, eventually).toBe('offered');
  const again = await program<V1Created>('POST', v1Paths.remake(low.id));
  expect(again.status).toBe(202);
  const remade = await ended(program, again.body.generations[0]!);
  expect(remade).toMatchObject({ state: 'succeeded', parentId: low.id });
  await expect.poll(async () => (await ended(program, remade)).match, eventually).toBe('high');
  const change = (instruction: string) =>
    program<V1Created & ErrorReply>('POST', v1Paths.change(low.id), { instruction });
  const changed = await change('Make the cup blue');
  expect(await ended(program, changed.body.generations[0]!)).toMatchObject({
    state: 'succeeded',
    mode: 'test',
  });
  const failed = await change('test: blocked by safety');
  expect(await ended(program, failed.body.generations[0]!)).toMatchObject({
    failure: { code: 'CONTENT_REFUSED' },
  });
  expect((await change('test: no images left')).body.error.code).toBe('NO_CREDITS');
});

test('a test image is edited as a real one, and looks of the studio are none of the sandbox', async ({
  stack,
  seller,
  program,
}) => {
  const { id } = await made(program);
  const before = await whatIsReal(stack);
  const crop = { left: 0, top: 0, width: 0.5, height: 0.25 };
  const edit = (recipe: object, basedOn?: number | null) =>
    program<V1Generation & ErrorReply>('PUT', v1Paths.edits(id), { recipe, basedOn });
  const { body: edited } = await edit({ rotate: 90, crop }, null);
  expect(edited).toMatchObject({
    mode: 'test',
    image: { width: 512, height: 256 },
    edits: { recipe: { crop } },
  });
  const file = await fetch(stack.url + edited.image!.url, {
    headers: { authorization: `Bearer ${await giveKey(stack, seller, { test: true })}` },
  });
  expect(await sharp(await file.arrayBuffer()).metadata()).toMatchObject({ width: 512, height: 256 });
  expect((await edit({ rotate: 180 }, null)).body.error.code).toBe('EDIT_CONFLICT');
  expect((await edit({}, edited.edits!.version)).body).toMatchObject({ edits: null, image: { width: 1024 } });

  const look = await call<LookView>(seller, 'POST', paths.looks, { name: 'Oak', scene: 'On oak' });
  const answer = await program('POST', v1Paths.generations, formOf({ lookId: look.body.id }));
  expect([answer.status, answer.body.error.field]).toEqual([400, 'lookId']);
  expect(await whatIsReal(stack)).toEqual(before);
});

test('a question what a test would use is answered by its scene, and makes nothing', async ({
  stack,
  seller,
  program,
}) => {
  const ask = (prompt: string) => create<V1Estimate>(program, prompt, { dryRun: 'true', numImages: '3' });
  expect((await ask('On a table')).body).toMatchObject({ images: 3, refusal: null });
  expect((await ask('test: no images left')).body.refusal).toMatchObject({ code: 'NO_CREDITS' });
  expect(await sandboxRows(stack, seller)).toEqual([]);
});

const rows = [{ sku: 'CUP-1', prompt: 'On oak', photos: [{ sha256: sha256Of(photo) }] }];

/** What a route is sent; the path may name an object, and the second the body of a request. */
const bodies: Readonly<Record<string, object>> = {
  [`PATCH ${v1Paths.generation(':id')}`]: { favourite: true },
  [`POST ${v1Paths.change(':id')}`]: { instruction: 'Make it blue' },
  [`PUT ${v1Paths.edits(':id')}`]: { recipe: { rotate: 90 } },
  [`PATCH ${v1WebhookPaths.webhook(':id')}`]: { events: ['generation.failed'] },
  [`PUT ${v1BatchPaths.photo(':id', ':sha256')}`]: formOf({}),
  [`POST ${v1BatchPaths.rows(':id')}`]: { rows },
  [`POST ${v1BatchPaths.retry(':id')}`]: { round: 0 },
  [`POST ${v1BatchPaths.again(':id')}`]: { round: 0, generations: ['x'] },
  [`POST ${v1BatchPaths.review(':id')}`]: { generations: ['x'], approved: true },
};
/** What a GET route needs in its query. */
const queries: Readonly<Record<string, string>> = {
  [`GET ${v1BatchPaths.products(':id')}`]: '?system=shopify',
};

interface Objects {
  generation: string;
  set: string;
  webhook: string;
  delivery: string;
  project: string;
  batch: string;
  event: string;
}

/** Makes an object of each kind with a key. @param profile the seller that owns them, or its test seller */
async function objectsOf(
  { db }: TestStack,
  profile: string,
  program: Program,
  generation: string,
): Promise<Objects> {
  const { body: project } = await program<V1Project>('POST', v1LibraryPaths.projects, { name: 'Cups' });
  const url = receiver.url('/hooks');
  const { body } = await program<WebhookWithSecret>('POST', v1WebhookPaths.webhooks, {
    url,
    events: ['batch.finished'],
  });
  const { id: webhook } = body.webhook;
  const sent = await program<{ id: string }>('POST', v1WebhookPaths.test(webhook));
  const { status, body: batch } = await program<V1Batch>('POST', v1BatchPaths.batches, {
    name: 'Cups',
    rows,
  });
  expect(status).toBe(201);
  const { _id: event } = await recordEvent(db, {
    _id: eventIdOf(`of the test: ${generation}`),
    profile,
    type: 'generation.failed',
    object: generation,
    body: '{}',
  });
  const delivery = sent.body.id;
  return { generation, set: generation, webhook, delivery, project: project.id, batch: batch.id, event };
}

test('in every route of the API a key finds only what is of its own mode', async ({
  stack,
  seller,
  program,
  live,
}) => {
  const { _id: real } = await insertImage(stack, seller);
  const test = await made(program);
  const ofLive = await objectsOf(stack, seller.id, live, real);
  const ofTest = await objectsOf(stack, testSellerOf(seller.id), program, test.id);

  for (const route of Object.keys(scopeOfRoute)) {
    const [method = '', pattern = ''] = route.split(' ');
    for (const [caller, own, others] of [
      [program, ofTest, ofLive],
      [live, ofLive, ofTest],
    ] as const) {
      if (pattern === v1EventsPath) {
        // It would go on without end after an event of its own.
        const after = await caller(method, pattern, undefined, { 'last-event-id': others.event });
        expect([route, after.status, after.body.error.code]).toEqual([route, 410, 'EVENT_TOO_OLD']);
        continue;
      }
      const idIn = ({ generation, webhook, batch }: Objects) => {
        if (pattern.startsWith(v1WebhookPaths.webhooks)) return webhook;
        return pattern.startsWith(v1BatchPaths.batches) ? batch : generation;
      };
      const pathOf = (objects: Objects) =>
        pattern
          .replace(':deliveryId', objects.delivery)
          .replace(':sha256', sha256Of(photo))
          .replace(':id', idIn(objects))
          .replace(':preset', exportPresetIds[0]);
      if (pattern.includes(':')) {
        const answer = await caller(method, pathOf(others) + (queries[route] ?? ''), bodies[route]);
        expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, 'NOT_FOUND']);
        continue;
      }
      if (method === 'POST') {
        // What these make is of the mode of the key; what they may name is refused.
        if (pattern !== v1Paths.generations) continue;
        const refused = await create(caller, 'On a table', { projectId: others.project });
        expect(refused.body.error).toMatchObject({ code: 'VALIDATION', field: 'projectId' });
        continue;
      }
      const query =
        pattern === v1ExportPaths.zip
          ? `?generations=${others.generation}&presets=${exportPresetIds[0]}`
          : '';
      const { body } = await caller<object>(method, pattern + query);
      const text = JSON.stringify(body);
      for (const id of Object.values(others)) expect(text.includes(id), `${route} ${id}`).toBe(false);
      expect(own).toBeDefined();
    }
  }
  // Nothing was changed by any of it.
  expect((await live<V1Generation>('GET', v1Paths.generation(real))).body).toMatchObject({
    mode: 'live',
    favourite: false,
  });
  expect((await program<V1Generation>('GET', v1Paths.generation(test.id))).body).toMatchObject({
    mode: 'test',
    favourite: false,
  });
  expect(
    (await live<V1GenerationList>('GET', v1Paths.generations)).body.generations.map(({ id }) => id),
  ).toEqual([real]);
  expect(
    (await program<V1GenerationList>('GET', v1Paths.generations)).body.generations.map(({ id }) => id),
  ).toEqual([test.id]);
  const usage = async (caller: Program) => (await caller<{ images: number }>('GET', v1UsagePath)).body.images;
  expect([await usage(live), await usage(program)]).toEqual([1, 1]);
  // Nor does a session see it.
  for (const path of [paths.generation(test.id), paths.generationImage(test.id, 'image')]) {
    expect((await call(seller, 'GET', path)).status, path).toBe(404);
  }
  expect(JSON.stringify((await call(seller, 'GET', paths.generations)).body)).not.toContain(test.id);
});

test('a webhook is told of what is real or of tests, and says which', async ({
  seller,
  program,
  live,
  stack,
}) => {
  const make = async (caller: Program, path: string) => {
    const { body } = await caller<WebhookWithSecret>('POST', v1WebhookPaths.webhooks, {
      url: receiver.url(path),
      events: ['generation.succeeded', 'generation.failed'],
    });
    return body.webhook;
  };
  expect(await make(live, '/of-live')).toMatchObject({ mode: 'live' });
  const ofTests = await make(program, '/of-tests');
  expect(ofTests).toMatchObject({ mode: 'test' });
  const done = await made(program);
  await expect.poll(() => receiver.at('/of-tests').length, eventually).toBe(1);
  const [event] = receiver.at('/of-tests');
  expect(JSON.parse(event!.body)).toMatchObject({
    type: 'generation.succeeded',
    mode: 'test',
    data: { id: done.id, mode: 'test' },
  });
  expect(receiver.at('/of-live')).toEqual([]);
  await insertImage(stack, seller);
  await expect.poll(() => receiver.at('/of-live').length, eventually).toBe(1);
  expect(JSON.parse(receiver.at('/of-live')[0]!.body)).toMatchObject({
    mode: 'live',
    data: { mode: 'live' },
  });
  expect(receiver.at('/of-tests')).toHaveLength(1);

  // A person sees and changes both.
  const { body } = await call<WebhookList>(seller, 'GET', webhookPaths.webhooks);
  expect(body.webhooks.map(({ mode }) => mode)).toEqual(['live', 'test']);
  const off = await call<Webhook>(seller, 'PATCH', webhookPaths.webhook(ofTests.id), { enabled: false });
  expect(off.body).toMatchObject({ id: ofTests.id, enabled: false });
  const another = await call<WebhookWithSecret>(seller, 'POST', webhookPaths.webhooks, {
    url: receiver.url('/another'),
    events: ['generation.failed'],
    mode: 'test',
  });
  expect(another.body.webhook.mode).toBe('test');
  const wrong = await live('POST', v1WebhookPaths.webhooks, {
    url: receiver.url('/x'),
    events: ['generation.failed'],
    mode: 'test',
  });
  expect(wrong.body.error).toMatchObject({ code: 'VALIDATION', field: 'mode' });
});

test('an account has so many test images a day, and its own limit is another', async ({
  stack,
  seller,
  program,
  live,
}) => {
  const balance = async (caller: Program) => (await caller<V1Balance>('GET', v1Paths.balance)).body;
  const real = await balance(live);
  expect(await balance(program)).toMatchObject({ leftToday: limits.testImagesADay });
  await made(program);
  expect(await balance(program)).toMatchObject({ leftToday: limits.testImagesADay - 1 });
  await inSandbox(stack, 'test_profiles').updateOne(
    { _id: testSellerOf(seller.id) },
    { 'images_today.used': limits.testImagesADay },
  );
  expect((await create(program, 'On a table')).body.error.code).toBe('DAILY_LIMIT');
  expect(await balance(live)).toEqual(real);
});

const keysOf = async (stack: TestStack, seller: Pick<Seller, 'id'>) =>
  (await sandboxRows(stack, seller)).flatMap(({ image, photos }) => [
    ...(image ? [image.key] : []),
    ...photos.map(({ key }) => key),
  ]);

test('what tests made is removed after some days, with its files', async ({ stack, seller, program }) => {
  const old = await made(program);
  const { _id: real } = await insertImage(stack, seller);
  const keys = await keysOf(stack, seller);
  expect(keys).toHaveLength(2);
  const worker = workerContext(stack);
  const sandbox = { ...worker, db: sandboxOf(stack.db) };
  expect(await removeOldTests(sandbox)).toBe(0);
  expect(await removeOldTests(sandbox, new Date(Date.now() + 1))).toBeGreaterThan(0);
  for (const key of keys) expect(await stack.server.context.storage.has(key)).toBe(false);
  expect(await leftIn(stack, testSellerOf(seller.id))).toEqual(['test_profiles', 'test_user_settings']);
  expect((await program('GET', v1Paths.generation(old.id))).status).toBe(404);
  expect(await stack.server.context.storage.has(storageKeys.photo(real, 0, 'png'))).toBe(true);
  expect(await stack.audit('contents')).toEqual([]);
});

/** The collections of the sandbox in which something of a seller is. */
async function leftIn(stack: TestStack, id: string): Promise<string[]> {
  const left: string[] = [];
  for (const each of collectionsApart()) {
    const { collection } = each(sandboxOf(stack.db));
    const found = await collection.findOne({ $or: [{ _id: id as never }, { profile: id }, { user_id: id }] });
    if (found) left.push(collection.name);
  }
  return left.sort();
}

test('the account takes its tests with it', async ({ stack, seller, program }) => {
  const leaving = await stack.seller();
  const key = await giveKey(stack, leaving, { test: true });
  const own = programOf(stack.url, key);
  const staying = await made(program);
  await made(own);
  const slow = await create(own, 'test: slow 60 s');
  expect(slow.status).toBe(202);
  const id = testSellerOf(leaving.id);
  // It is written a moment after the request: here nothing is left of the time that upkeep gives late writes.
  const since = { $gte: new Date(slow.body.generations[0]!.createdAt) };
  const project = () => projects(sandboxOf(stack.db)).exists({ _id: id, updated_at: since });
  await expect.poll(project, eventually).toBeTruthy();
  await objectsOf(stack, id, own, 'x');
  const deleted = { _id: 'deleted', profile: id, key: 'k', fingerprint: 'f', deleted_at: new Date() };
  await deletedBatches(sandboxOf(stack.db)).create(deleted);
  const keys = (await keysOf(stack, leaving)).length;
  await beginDeletion(stack.db, leaving.id);
  await finishDeletion(workerContext(stack), leaving.id, new Date(Date.now() + 1));
  expect(await leftIn(stack, id)).toEqual([]);
  expect(await stack.models.webhookEndpoints.countDocuments({ profile: id })).toBe(0);
  expect(await stack.models.webhookDeliveries.countDocuments({ profile: id })).toBe(0);
  expect((await own('GET', v1Paths.balance)).status).toBe(401);
  expect(keys).toBeGreaterThan(2);
  expect(await keysOf(stack, seller)).toHaveLength(2);
  expect((await ended(program, staying)).state).toBe('succeeded');
});

test('fifty test images of all kinds, with workers that are killed, leave every balance to the last entry', async ({
  stack,
  program,
}) => {
  const before = await whatIsReal(stack);
  const scenes = [
    'On a table',
    ...Object.keys(testScenes).filter((words) => !('refused' in testScenes[words]!.outcome)),
  ];
  const workers = [await stack.startWorkerProcess(), await stack.startWorkerProcess()];
  const ids: string[] = [];
  for (let index = 0; ids.length < 50; index += 1) {
    const { status, body } = await create(program, sceneOf(scenes[index % scenes.length]!), {
      numImages: '2',
    });
    expect(status).toBe(202);
    ids.push(...body.generations.map(({ id }) => id));
    if (index === 8) await workers[0]!.kill();
    if (index === 16) await workers[1]!.kill();
  }
  for (const id of ids) {
    await expect.poll(async () => (await ended(program, { id })).endedAt, eventually).not.toBeNull();
  }
  expect(await whatIsReal(stack)).toEqual(before);
  expect(await stack.audit('contents')).toEqual([]);
  expect((await stack.images.state()).calls).toEqual([]);
});

test('a key that is of no mode, or not of this one, is no key', async ({ stack, seller, program }) => {
  const key = await giveKey(stack, seller, { test: true });
  expect(key).toMatch(/^pk_test_[0-9a-f]{56}$/);
  const statusOf = async (authorization: string) =>
    (await fetch(stack.url + v1Paths.balance, { headers: { authorization } })).status;
  expect(await statusOf(`Bearer ${key}`)).toBe(200);
  expect(await statusOf(`bearer ${key}`)).toBe(200);
  for (const wrong of [
    `Bearer ${key.replace('pk_test_', 'pk_live_')}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer  ${key}`,
    `Bearer ${key.toUpperCase()}`,
    key,
  ]) {
    expect(await statusOf(wrong), wrong).toBe(401);
  }
  expect((await program('GET', '/api/v1/nothing')).status).toBe(404);
});
