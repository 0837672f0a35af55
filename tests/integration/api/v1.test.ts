/** Version 1 of the API: images that programs make, money first. */
import sharp from 'sharp';
import { afterAll, beforeEach, expect } from 'vitest';
import {
  type ErrorReply,
  limits,
  type V1Balance,
  type V1Created,
  type V1CreateRequest,
  type V1Estimate,
  type V1Generation,
  type V1GenerationList,
  v1Paths,
  v1Versions,
} from '#contract';
import { callWithKey, giveKey, type Program, programOf } from '#tests/support/api-keys.ts';
import { expectNothingLeft } from '#tests/support/errors.ts';
import { hostileAddresses } from '#tests/support/hostile-addresses.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Answer } from '#tests/support/seller.ts';
import { startStrangerServer, strangerHost } from '#tests/support/stranger-server.ts';
import { testWithSeller } from '#tests/support/test.ts';

const photo = await samplePhoto();
const stranger = await startStrangerServer({
  '/mug.png': ['image/png', photo],
  '/back.png': ['image/png', photo],
  '/page.html': ['text/html', Buffer.from('<!doctype html><title>A mug</title>'.repeat(9))],
});
afterAll(() => stranger.close());
beforeEach(() => {
  stranger.answers.set(strangerHost, [['127.0.0.1']]);
  stranger.resolved.length = 0;
  stranger.requests.length = 0;
});

const test = testWithSeller({ server: { outbound: stranger.outbound() } })
  .extend('key', ({ stack, seller }) => giveKey(stack, seller))
  .extend('program', ({ stack, key }) => programOf(stack.url, key));

const mug = stranger.url('/mug.png');
const asked: V1CreateRequest = { photos: [{ url: mug }], prompt: 'On a wooden table' };
const create = <Body = V1Created & ErrorReply>(
  program: Program,
  details: object = {},
  idempotencyKey?: string,
) =>
  program<Body>(
    'POST',
    v1Paths.generations,
    { ...asked, ...details },
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  );
const formOf = (fields: Record<string, string>, photos: Buffer[] = [photo], name = 'photos') => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const each of photos)
    form.append(name, new Blob([new Uint8Array(each)], { type: 'image/png' }), 'cup.png');
  return form;
};

test('from the address of a photo to the finished image', async ({ stack, seller, program }) => {
  const made = await create(program, { productName: 'Mug', sku: 'MUG-1', numImages: 2 });
  expect(made.status).toBe(202);
  expect(made.headers.get('packshot-version')).toBe(v1Versions[0]);
  const [first, second] = made.body.generations as [V1Generation, V1Generation];
  expect([first, second]).toMatchObject([
    { set: { index: 0, size: 2 }, productName: 'Mug', sku: 'MUG-1', prompt: 'On a wooden table' },
    { set: { index: 1, size: 2, id: first.set.id } },
  ]);
  expect(stranger.requests.map(({ path }) => path)).toEqual(['/mug.png']);

  const ended: V1Generation[] = [];
  for (const { id } of [first, second]) {
    const { body } = await program<V1Generation>(
      'GET',
      `${v1Paths.generation(id)}?wait=${limits.apiWaitSeconds}`,
    );
    ended.push(body);
  }
  expect(ended).toMatchObject(
    Array(2).fill({
      state: 'succeeded',
      image: { width: limits.outputWidth },
      failure: null,
      imageUsed: true,
    }),
  );
  const image = await fetch(stack.url + ended[0]!.image!.url, {
    headers: { authorization: `Bearer ${await giveKey(stack, seller, { scopes: ['generations:read'] })}` },
  });
  expect(image.headers.get('content-disposition')).toMatch(/filename="Mug-\d{4}-\d\d-\d\d\.png"/);
  const { width, height, format } = await sharp(await image.arrayBuffer()).metadata();
  expect({ width, height, format }).toEqual({
    width: ended[0]!.image!.width,
    height: ended[0]!.image!.height,
    format: 'png',
  });
  // The seller sees the same image in the studio.
  expect((await seller.generation(first.id)).state).toBe('succeeded');
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('from a form with files, in the same way', async ({ program }) => {
  const form = formOf({ prompt: 'On oak', numImages: '1', maxImages: '1', useSeed: 'false' }, [photo, photo]);
  const made = await program<V1Created>('POST', v1Paths.generations, form);
  expect([made.status, made.body.generations.length]).toEqual([202, 1]);
  const one = await program<V1Created>(
    'POST',
    v1Paths.generations,
    formOf({ prompt: 'On oak' }, [photo], 'photo'),
  );
  expect(one.status).toBe(202);
});

test('a dry run makes, fetches and holds nothing, and says what would be used or why not', async ({
  stack,
  seller,
  program,
}) => {
  const balance: V1Balance = {
    plan: 'freelance',
    left: 100,
    onHold: 0,
    leftToday: null,
    renewsAt: expect.any(String) as unknown as string,
  };
  const estimates: [details: object, images: number, code: string | null][] = [
    [{}, 1, null],
    [{ numImages: 4 }, 4, null],
    [{ numImages: 4, maxImages: 3 }, 4, 'MAX_IMAGES'],
    [{ projectId: 'nothing' }, 1, 'VALIDATION'],
    [{ photos: [{ url: stranger.url('/nothing') }] }, 1, null],
  ];
  for (const [details, images, code] of estimates) {
    const answer = await create<V1Estimate>(program, { ...details, dryRun: true });
    expect(answer.status).toBe(200);
    expect(answer.body, JSON.stringify(details)).toEqual({
      dryRun: true,
      images,
      refusal: code && { code, message: expect.any(String) },
      balance,
    });
  }
  const form = await program<V1Estimate>(
    'POST',
    v1Paths.generations,
    formOf({ prompt: 'On oak', numImages: '3', dryRun: 'true' }),
  );
  expect(form).toMatchObject({ status: 200, body: { dryRun: true, images: 3, refusal: null } });
  expect(stranger.requests).toEqual([]);
  await expectNothingLeft(stack, seller.id);
  expect((await program<V1Balance>('GET', v1Paths.balance)).body).toEqual(balance);

  // Images of packs count as well.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { 'pack_images.left': 5 } });
  expect((await program<V1Balance>('GET', v1Paths.balance)).body.left).toBe(105);
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { 'pack_images.left': 0 } });

  // What does not fit is said as it would be refused, and nothing of it is hidden behind a 200 later.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 2 } });
  const tooMany = { numImages: 3 };
  const refused = await create<V1Estimate>(program, { ...tooMany, dryRun: true });
  expect(refused.body).toMatchObject({ images: 3, refusal: { code: 'NO_CREDITS' }, balance: { left: 2 } });
  const real = await create(program, tooMany);
  expect(real).toMatchObject({
    status: 402,
    body: { error: { code: 'NO_CREDITS', message: refused.body.refusal!.message } },
  });

  // Nor is a form refused that only asks, wherever in it that is said; what does not ask is, as before.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 0 } });
  const question = formOf({ prompt: 'On oak' }, [photo, photo]);
  question.append('dryRun', 'true');
  const asForm = await program<V1Estimate>('POST', v1Paths.generations, question);
  expect(asForm).toMatchObject({
    status: 200,
    body: { dryRun: true, images: 1, refusal: { code: 'NO_CREDITS' }, balance: { left: 0 } },
  });
  for (const dryRun of ['false', 'yes']) {
    const form = formOf({ prompt: 'On oak', dryRun });
    expect(await program('POST', v1Paths.generations, form)).toMatchObject({
      status: 402,
      body: { error: { code: 'NO_CREDITS' } },
    });
  }
  const wrong = formOf({ prompt: '', dryRun: 'true' });
  expect((await program('POST', v1Paths.generations, wrong)).status).toBe(400);
  await expectNothingLeft(stack, seller.id);
});

test('never more images are made than were agreed to', async ({ stack, seller, program }) => {
  const refusal = { status: 409, body: { error: { code: 'MAX_IMAGES' } } };
  const over = { numImages: 3, maxImages: 2 };
  expect(await create(program, over)).toMatchObject(refusal);
  expect(await create(program, { maxImages: 0 })).toMatchObject(refusal);
  const counts: [details: object, message: string][] = [
    [over, 'This would use 3 images, and 2 were agreed to. Nothing was made.'],
    [{ numImages: 2, maxImages: 1 }, 'This would use 2 images, and 1 was agreed to. Nothing was made.'],
    [{ maxImages: 0 }, 'This would use 1 image, and 0 were agreed to. Nothing was made.'],
  ];
  for (const [details, message] of counts)
    expect((await create(program, details)).body.error.message).toBe(message);
  const form = formOf({ prompt: 'On oak', numImages: '3', maxImages: '2' });
  expect(await program('POST', v1Paths.generations, form)).toMatchObject(refusal);
  // In whatever order the parts of a form come.
  const late = formOf({ prompt: 'On oak', numImages: '3' });
  late.append('maxImages', '2');
  expect(await program('POST', v1Paths.generations, late)).toMatchObject(refusal);
  for (const wrong of ['1e9', '-1', '', '2.5', 'NaN', '2,3']) {
    const sent = formOf({ prompt: 'On oak', numImages: '3', maxImages: wrong });
    expect((await program('POST', v1Paths.generations, sent)).body.error.code).toBe('VALIDATION');
  }
  for (const wrong of [null, -1, 1.5, '1e1', [2], true]) {
    expect((await create(program, { ...over, maxImages: wrong })).body.error.code).toBe('VALIDATION');
  }
  for (const wrong of ['yes', 1, null]) {
    expect((await create(program, { dryRun: wrong })).body.error.code).toBe('VALIDATION');
  }
  await expectNothingLeft(stack, seller.id);
  expect(stranger.requests).toEqual([]);
  expect((await create(program, { numImages: 2, maxImages: 2 })).status).toBe(202);
});

test('a repeated request gets the first answer, on every server and when the photo is gone', async ({
  stack,
  seller,
  key,
  program,
}) => {
  const other = await stack.startServer();
  const elsewhere = programOf(other.url, key);
  const idsOf = ({ body }: Answer<V1Created>) => body.generations.map(({ id }) => id);
  const once = { photos: [{ url: stranger.url('/back.png?token=1') }], numImages: 2 };
  const first = await create(program, once, 'order-1');
  expect(first.status).toBe(202);
  const fetched = stranger.requests.length;
  // The other server may reach no address at all, and needs none.
  const again = await create(elsewhere, once, 'order-1');
  expect([again.status, idsOf(again)]).toEqual([202, idsOf(first)]);
  expect(stranger.requests).toHaveLength(fetched);

  // Another body under the same key.
  for (const body of [
    { ...once, numImages: 1 },
    { ...once, prompt: 'On stone' },
    { ...once, photos: [{ url: mug }] },
  ]) {
    const answer = await create(elsewhere, body, 'order-1');
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_MISMATCH' } } });
  }
  const asForm = await elsewhere('POST', v1Paths.generations, formOf({ prompt: 'On a wooden table' }), {
    'idempotency-key': 'order-1',
  });
  expect(asForm).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_MISMATCH' } } });
  // Another seller has keys of their own.
  const stranger_ = await giveKey(stack, await stack.seller());
  const theirs = await callWithKey<V1Created>(
    stack.url,
    stranger_,
    'POST',
    v1Paths.generations,
    { ...asked, ...once },
    { 'idempotency-key': 'order-1' },
  );
  expect(idsOf(theirs)).not.toEqual(idsOf(first));

  // Many at the same time, half of them on a server that fetches.
  const both = await Promise.all(
    Array.from({ length: 6 }, () => create(program, { photos: [{ url: mug }] }, 'order-2')),
  );
  expect(new Set(both.flatMap(idsOf)).size).toBe(1);
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(3);
  const wrongKey = await create(program, {}, 'x'.repeat(limits.idempotencyKeyCharacters + 1));
  expect(wrongKey.body.error).toMatchObject({ code: 'VALIDATION', field: 'Idempotency-Key' });
});

test('addresses of strangers reach nothing of ours, and leave nothing', async ({ stack, seller, key }) => {
  const strict = await stack.startServer();
  const codes: Readonly<Record<string, string>> = {
    invalid: 'ADDRESS_REFUSED',
    credentials: 'ADDRESS_REFUSED',
    port: 'ADDRESS_REFUSED',
  };
  for (const [url, failure] of hostileAddresses.filter(([address]) => address !== '')) {
    const { status, body } = await callWithKey<ErrorReply>(strict.url, key, 'POST', v1Paths.generations, {
      ...asked,
      photos: [{ url }],
    });
    const expected =
      url.length > 2_000 ? [400, 'VALIDATION'] : [422, codes[failure] ?? 'ADDRESS_NOT_FETCHED'];
    expect([url, status, body.error.code, body.error.field]).toEqual([url, ...expected, 'photos.0.url']);
  }
  expect(stranger.requests).toEqual([]);
  await expectNothingLeft(stack, seller.id);
});

test('DNS rebinding: a name that leads elsewhere once it was checked reaches nothing of ours', async ({
  program,
}) => {
  const rebind = () => stranger.answers.set(strangerHost, [['127.0.0.1'], ['169.254.169.254']]);
  rebind();
  // Where a name leads is asked once for a connection.
  expect((await create(program)).status).toBe(202);
  expect(stranger.resolved).toEqual([strangerHost]);
  const notFetched = { code: 'ADDRESS_NOT_FETCHED', field: 'photos.0.url' };
  expect(await create(program)).toMatchObject({ status: 422, body: { error: notFetched } });
  rebind();
  const led = await create(program, { photos: [{ url: stranger.url('/redirect?to=/mug.png') }] });
  expect(led).toMatchObject({ status: 422, body: { error: notFetched } });
  expect(stranger.requests.map(({ path }) => path.split('?')[0])).toEqual(['/mug.png', '/redirect']);
});

test('a photo that cannot be fetched refuses the whole request, and its address is named', async ({
  stack,
  seller,
  program,
}) => {
  // Every answer must be public.
  const twoFaced = 'two-faced.shop.example';
  stranger.answers.set(twoFaced, [['127.0.0.1', '10.0.0.1']]);
  const refused: [path: string, code: string][] = [
    [stranger.url('/nothing'), 'ADDRESS_NOT_FETCHED'],
    [stranger.url('/redirect?to=https://169.254.169.254/latest/meta-data'), 'ADDRESS_NOT_FETCHED'],
    [stranger.url(`/redirect?to=http://${strangerHost}/mug.png`), 'ADDRESS_NOT_FETCHED'],
    [stranger.url('/redirect?to=https://[::ffff:10.0.0.1]/'), 'ADDRESS_NOT_FETCHED'],
    [`https://${twoFaced}:${stranger.port}/mug.png`, 'ADDRESS_NOT_FETCHED'],
    [`https://localhost.:${stranger.port}/mug.png`, 'ADDRESS_NOT_FETCHED'],
    [`https://2130706433:1/mug.png`, 'ADDRESS_REFUSED'],
    [stranger.url('/page.html'), 'TYPE_UNSUPPORTED'],
    [stranger.url('/large'), 'FILE_TOO_LARGE'],
    [stranger.url('/bomb'), 'ADDRESS_NOT_FETCHED'],
    [stranger.url('/silent'), 'ADDRESS_NOT_FETCHED'],
    // Slowly, and no photo: its first bytes are enough to know.
    [stranger.url('/drip'), 'TYPE_UNSUPPORTED'],
    [stranger.url('/empty'), 'FILE_EMPTY'],
  ];
  for (const [url, code] of refused) {
    const { body, status } = await create(program, { photos: [{ url: mug }, { url }] });
    expect([url, status >= 400 && status < 500, body.error.code]).toEqual([url, true, code]);
    if (code !== 'FILE_TOO_LARGE') expect(body.error.field, url).toBe('photos.1.url');
  }
  for (const photos of [
    undefined,
    [],
    [{ url: '' }],
    [{ url: 1 }],
    [mug],
    Array(limits.photos + 1).fill({ url: mug }),
  ]) {
    const { body } = await create(program, { photos });
    expect(body.error.code, JSON.stringify(photos)).toMatch(/^(?:VALIDATION|ADDRESS_REFUSED)$/);
  }
  await expectNothingLeft(stack, seller.id);
  await expect.poll(stranger.openConnections).toBe(0);
});

test('a few photos of a seller are fetched at a time, and one who leaves ends the call', async ({
  stack,
  key,
}) => {
  const other = programOf(stack.url, await giveKey(stack, await stack.seller()));
  const leaving = new AbortController();
  const all = Array.from({ length: limits.uploadsOfSeller + 2 }, () =>
    fetch(stack.url + v1Paths.generations, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, photos: [{ url: stranger.url('/held') }] }),
      signal: leaving.signal,
    }).catch(() => null),
  );
  await expect.poll(() => stranger.requests.length).toBe(limits.uploadsOfSeller);
  // Another seller does not wait for them, and meanwhile no further one of theirs begins.
  expect((await create(other)).status).toBe(202);
  expect(stranger.requests).toHaveLength(limits.uploadsOfSeller + 1);
  leaving.abort();
  await Promise.all(all);
  await expect.poll(stranger.openConnections).toBe(0);
});

test('waiting ends with the image, or after the time that was given', async ({ stack, program }) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const { body } = await create(program);
  const [{ id }] = body.generations as [V1Generation];
  const get = (query = '') => program<V1Generation & ErrorReply>('GET', v1Paths.generation(id) + query);
  expect((await get('?wait=1')).body.state).toMatch(/^(?:queued|running)$/);
  for (const wrong of ['31', '-1', 'x', '1.5']) {
    expect((await get(`?wait=${wrong}`)).body.error).toMatchObject({ code: 'VALIDATION', field: 'wait' });
  }
  // So many at a time; the next one is asked to come later.
  const waits = Array.from({ length: limits.apiWaits + 1 }, () => get('?wait=30'));
  const refused = await Promise.race(
    waits.map(async (each) => {
      const answer = await each;
      return answer.status === 429 ? answer : new Promise<never>(() => {});
    }),
  );
  expect(Number(refused.headers.get('retry-after'))).toBe(limits.apiWaitSeconds);
  expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`, "wait";r=0;t=${limits.apiWaitSeconds}$`));
  const cancelled = await program<V1Generation>('POST', v1Paths.cancel(id));
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', imageUsed: false } });
  const states = (await Promise.all(waits)).map((each) => each.body.state ?? each.status);
  expect(states.filter((state) => state === 'cancelled')).toHaveLength(limits.apiWaits);
  expect((await program('POST', v1Paths.cancel(id))).status).toBe(409);
  expect((await program('GET', v1Paths.image(id))).status).toBe(404);
  await stack.images.set({ default: { kind: 'ok' } });
});

test('a server that closes answers those who wait', async ({ stack, key, program }) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const closing = await stack.startServer();
  const { body } = await create(program);
  const [{ id }] = body.generations as [V1Generation];
  const path = v1Paths.generation(id);
  const arrived = new Promise((resolve) => closing.app.server.once('request', resolve));
  const waiting = callWithKey<V1Generation>(closing.url, key, 'GET', `${path}?wait=30`);
  await arrived;
  await closing.close();
  expect(await waiting).toMatchObject({
    status: 200,
    body: { id, state: expect.stringMatching(/queued|running/) },
  });
  await program('POST', v1Paths.cancel(id));
  await stack.images.set({ default: { kind: 'ok' } });
});

test('a failure says why, and uses nothing', async ({ stack, program }) => {
  await stack.images.set({ behaviours: [contentRefused] });
  const made = await create(program);
  const [{ id }] = made.body.generations as [V1Generation];
  const { body } = await program<V1Generation>('GET', `${v1Paths.generation(id)}?wait=30`);
  expect(body).toMatchObject({
    state: 'failed',
    image: null,
    failure: { code: 'CONTENT_REFUSED', message: expect.any(String) },
    imageUsed: false,
  });
  await expect
    .poll(async () => (await program<V1Balance>('GET', v1Paths.balance)).body)
    .toMatchObject({ left: 100, onHold: 0 });
});

test('the list has pages, newest first', async ({ program }) => {
  for (const prompt of ['one', 'two', 'three']) expect((await create(program, { prompt })).status).toBe(202);
  const pages: string[][] = [];
  let next: string | null = '';
  while (next !== null) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const { body }: Answer<V1GenerationList> = await program(
      'GET',
      `${v1Paths.generations}?limit=2${cursor}`,
    );
    pages.push(body.generations.map(({ prompt }) => prompt));
    next = body.nextCursor;
  }
  expect(pages).toEqual([['three', 'two'], ['one']]);
  for (const wrong of ['limit=0', 'limit=x', 'cursor=x', 'state=queued']) {
    expect((await program('GET', `${v1Paths.generations}?${wrong}`)).body.error.code).toBe('VALIDATION');
  }
});

test('errors lead to their explanation and carry the id of the request', async ({ stack, program }) => {
  for (const [method, path, body] of [
    ['GET', v1Paths.generation('nothing')],
    ['POST', v1Paths.generations, {}],
    ['GET', `${v1Paths.generations}?limit=0`],
  ] as [string, string, object?][]) {
    const { headers, body: reply } = await program(method, path, body);
    expect(reply.error.requestId).toBe(headers.get('x-request-id'));
    expect(reply.error.docs).toBe(`${stack.config.linkUrl}/documentation/first-image-with-the-api#errors`);
  }
  // Routes of the web app stay as they are.
  const web = (await (await fetch(`${stack.url}/api/me`)).json()) as ErrorReply;
  expect(web.error).not.toHaveProperty('docs');
});

test('a request names a version that exists, and is answered in it', async ({ stack, seller }) => {
  const key = await giveKey(stack, seller, { version: '2026-11-29' });
  const send = (version: string) =>
    callWithKey<ErrorReply>(stack.url, key, 'GET', v1Paths.balance, undefined, {
      'packshot-version': version,
    });
  expect((await send('2026-11-29')).headers.get('packshot-version')).toBe('2026-11-29');
  for (const wrong of ['2026-11-28', 'latest', '']) {
    expect((await send(wrong)).body.error).toMatchObject({ code: 'VALIDATION', field: 'Packshot-Version' });
  }
});

test('the first version stays as it is: what programs of 2026-11-29 sent and read', async ({
  stack,
  seller,
}) => {
  const key = await giveKey(stack, seller, { version: '2026-11-29' });
  const call = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const reply = await fetch(stack.url + path, { method, headers, ...(body && { body }) });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  const sent = `{"photos":[{"url":"${mug}"}],"prompt":"On oak","productName":"Mug","sku":"MUG-1","photosShow":"one-product","numImages":1,"negativePrompt":"blurry","width":1024,"height":1024,"style":"product","background":"opaque","useSeed":false,"dryRun":false,"maxImages":1}`;
  const created = await call('POST', '/api/v1/generations', sent);
  expect(created.status).toBe(202);
  const fields = [
    'id',
    'state',
    'set',
    'prompt',
    'productName',
    'sku',
    'projectId',
    'options',
    'position',
    'timeLeft',
    'progress',
    'image',
    'match',
    'failure',
    'imageUsed',
    'parentId',
    'createdAt',
    'startedAt',
    'endedAt',
  ];
  const [{ id }] = created.body.generations;
  const ended = await call('GET', `/api/v1/generations/${id}?wait=30`);
  expect(Object.keys(ended.body)).toEqual(expect.arrayContaining(fields));
  expect(ended.body).toMatchObject({ state: 'succeeded', image: { url: `/api/v1/generations/${id}/image` } });
  const balance = await call('GET', '/api/v1/balance');
  expect(Object.keys(balance.body)).toEqual(
    expect.arrayContaining(['plan', 'left', 'onHold', 'leftToday', 'renewsAt']),
  );
  const listed = await call('GET', '/api/v1/generations?limit=1');
  expect(listed.body).toMatchObject({ generations: [{ id }], nextCursor: null });
  const dry = await call('POST', '/api/v1/generations', sent.replace('"dryRun":false', '"dryRun":true'));
  expect(dry).toMatchObject({ status: 200, body: { dryRun: true, images: 1, refusal: null } });
});
