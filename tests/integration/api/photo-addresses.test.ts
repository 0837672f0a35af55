/** Photos that the server fetches from the addresses of sellers. */

import sharp from 'sharp';
import { afterAll, beforeEach, expect } from 'vitest';
import { limits, paths, photoAddressLimits } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { expectError } from '#tests/support/errors.ts';
import { hostileAddresses } from '#tests/support/hostile-addresses.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { startStrangerServer, strangerHost } from '#tests/support/stranger-server.ts';
import { testWithStack } from '#tests/support/test.ts';

const photo = await samplePhoto();
const jpeg = await sharp(photo).jpeg().toBuffer();
const stranger = await startStrangerServer({
  '/photo.png': ['image/png', photo],
  '/mug': ['application/octet-stream', jpeg],
  '/p%C3%A4ge.jpg': [
    'text/html; charset=utf-8',
    Buffer.from('<!doctype html><title>A photo</title>'.repeat(9)),
  ],
  '/short.jpg': ['image/jpeg', Buffer.from('no')],
  '/vector.jpg': ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(9))],
});
afterAll(() => stranger.close());
beforeEach(() => {
  stranger.requests.length = 0;
});

const test = testWithStack({ workers: 0, server: { outbound: stranger.outbound() } })
  .extend('seller', ({ stack }) => stack.seller())
  .extend('strict', async ({ stack }) => stack.startServer());

const bodyOf = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const fetchFrom = (seller: Seller, url: string) => seller.fetch(paths.photoAddresses, bodyOf({ url }));
const ask = (seller: Seller, body: unknown): Promise<Answer<unknown>> =>
  seller.request(paths.photoAddresses, bodyOf(body));

test('the bytes of a photo, with the type of its content and the name of its address', async ({ seller }) => {
  const reply = await fetchFrom(seller, stranger.url('/photo.png?signature=secret'));
  expect(reply.status).toBe(200);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(photo);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(photo.length),
    'content-disposition': `attachment; filename="photo.png"; filename*=UTF-8''photo.png`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  // Declared as something else, behind a redirect, and without an ending.
  const other = await fetchFrom(seller, stranger.url(`/redirect?to=/mug`));
  expect(Buffer.from(await other.arrayBuffer())).toEqual(jpeg);
  expect(other.headers.get('content-type')).toBe('image/jpeg');
  expect(other.headers.get('content-disposition')).toContain("UTF-8''redirect.jpg");
});

test('what cannot be fetched is said in plain words', async ({ seller }) => {
  const couldNot = "We couldn't fetch this address:";
  const failures = [
    ['/nothing', `${couldNot} it answered 404.`],
    ['/status?status=403', `${couldNot} it answered 403. The photo has to open without signing in.`],
    ['/status?status=500', `${couldNot} it answered 500.`],
    ['/redirect?to=/redirect%3Fto%3D/redirect%3Fto%3D/redirect%3Fto%3D/redirect', 'many times.'],
    [
      `/redirect?to=http://${strangerHost}/photo.png`,
      `${couldNot} it leads to an address that is not public`,
    ],
    ['/redirect?to=https://169.254.169.254/latest', `${couldNot} it isn't on the public internet.`],
    ['/redirect?to=https://10.0.0.1/photo.png', `${couldNot} it isn't on the public internet.`],
    ['/bomb', `${couldNot} it sends compressed data instead of a photo.`],
    ['/broken', `${couldNot} its server can't be reached, or closed the connection.`],
  ] as const;
  for (const [path, message] of failures) {
    const answer = await ask(seller, { url: stranger.url(path) });
    expect(answer.body).toMatchObject({ error: { code: 'ADDRESS_NOT_FETCHED', field: 'url' } });
    expect((answer.body as { error: { message: string } }).error.message).toContain(message);
    expect(answer.status).toBe(422);
  }
});

test('what is no photo is refused by its content, before its end', async ({ seller }) => {
  const typeOf = async (path: string) => (await ask(seller, { url: stranger.url(path) })).body;
  const other = 'is not a photo that can be opened. Please upload JPEG, PNG, WebP, HEIC, TIFF or AVIF.';
  for (const [path, message] of [
    [
      '/p%C3%A4ge.jpg',
      'This address is a web page, not a photo. Please use the address of the photo itself.',
    ],
    ['/vector.jpg', `“vector.jpg” ${other}`],
    ['/short.jpg', `“short.jpg” ${other}`],
    // Without an end, and not read beyond its beginning.
    ['/endless', `“endless.jpg” ${other}`],
  ] as const) {
    expect(await typeOf(path)).toMatchObject({ error: { code: 'TYPE_UNSUPPORTED', field: 'url', message } });
  }
  expect(stranger.sentBytes()).toBeLessThan(limits.photoBytes);
  expect(await typeOf('/empty')).toMatchObject({ error: { code: 'FILE_EMPTY', field: 'url' } });
  expect(await typeOf('/large')).toMatchObject({
    error: {
      code: 'FILE_TOO_LARGE',
      message: '“large.jpg” is larger than 20 MB. Please upload a smaller one.',
    },
  });
  await expect.poll(stranger.openConnections).toBe(0);
});

test('hostile addresses reach nothing, whatever the rules of tests permit', async ({ seller, strict }) => {
  const refusals = { invalid: 'ADDRESS_REFUSED', credentials: 'ADDRESS_REFUSED', port: 'ADDRESS_REFUSED' };
  for (const [url, failure] of hostileAddresses.filter(([address]) => address !== '')) {
    const reply = await fetch(strict.url + paths.photoAddresses, {
      ...bodyOf({ url }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${seller.token}` },
    });
    const { error } = (await reply.json()) as { error: { code: string; field: string } };
    const code = (refusals as Record<string, string>)[failure] ?? 'ADDRESS_NOT_FETCHED';
    expect([url, reply.status, error.code, error.field]).toEqual([url, 422, code, 'url']);
  }
  expect(stranger.requests).toEqual([]);
});

test('who may ask: a seller who could make an image of the photo, with one address', async ({
  stack,
  seller,
}) => {
  const url = stranger.url('/photo.png');
  const nobody = await fetch(stack.url + paths.photoAddresses, bodyOf({ url }));
  expect(nobody.status).toBe(401);
  expectError(await ask(await stack.seller({ paid: false }), { url }), 'NO_SUBSCRIPTION');
  for (const body of [{}, { url: '' }, { url: 1 }, { url: ['https://a.example'] }]) {
    expectError(await ask(seller, body), 'VALIDATION', { field: 'url' });
  }
  expectError(
    await ask(seller, { url: `${url}?${'a'.repeat(photoAddressLimits.characters)}` }),
    'VALIDATION',
    {
      field: 'url',
    },
  );
  expect((await ask(seller, { url, headers: { cookie: 'a' } })).status).toBe(400);
  expect(stranger.requests).toEqual([]);
});

test('a few at a time, and so many a minute', async ({ seller, stack }) => {
  const { atOnceOfSeller } = photoAddressLimits;
  const all = Array.from({ length: atOnceOfSeller + 2 }, () => fetchFrom(seller, stranger.url('/held')));
  await expect.poll(() => stranger.requests.length).toBe(atOnceOfSeller);
  // Another seller does not wait for them.
  expect((await fetchFrom(await stack.seller(), stranger.url('/photo.png'))).status).toBe(200);
  expect(stranger.requests).toHaveLength(atOnceOfSeller + 1);
  stranger.release();
  await expect.poll(() => stranger.requests.length).toBe(atOnceOfSeller + 3);
  stranger.release();
  for (const reply of await Promise.all(all)) {
    expect(reply.status).toBe(200);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(photo);
  }
  const { requests } = requestLimits.seller['photo-address'];
  const many = Array.from({ length: requests - all.length + 1 }, () =>
    ask(seller, { url: 'http://a.example' }),
  );
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('a seller who leaves ends the call', async ({ seller }) => {
  const leaving = new AbortController();
  const asking = seller.fetch(paths.photoAddresses, {
    ...bodyOf({ url: stranger.url('/held') }),
    signal: leaving.signal,
  });
  await expect.poll(() => stranger.requests.length).toBe(1);
  leaving.abort();
  await expect(asking).rejects.toThrow();
  await expect.poll(stranger.openConnections).toBe(0);
});
