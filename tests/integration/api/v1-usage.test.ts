/** Which images were used, by day, by project and by API key: for programs, and for the page in Account Settings. */
import Papa from 'papaparse';
import { expect } from 'vitest';
import {
  apiKeyPaths,
  type ErrorReply,
  type ProjectView,
  paths,
  type Usage,
  usagePaths,
  type V1Created,
  type V1Usage,
  v1Paths,
  v1UsageDays,
  v1UsagePath,
} from '#contract';
import { hashKey } from '#server/auth/key-format.ts';
import { findApiKey } from '#shared/data/accounts/api-keys.ts';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { finishImage, insertImage } from '#tests/support/finished-images.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 }).extend('get', async ({ stack, seller }) => {
  const key = await giveKey(stack, seller, { scopes: ['usage:read'] });
  return <Body = V1Usage & ErrorReply>(query = '') =>
    callWithKey<Body>(stack.url, key, 'GET', v1UsagePath + query);
});

test('images count on the day on which they were asked for, and only those that were used', async ({
  stack,
  seller,
  get,
}) => {
  const { generations } = stack.models;
  const { body: project } = await call<ProjectView>(seller, 'POST', paths.projects, { name: 'Autumn' });
  const made = async (at: string, form: Record<string, string> = {}) => {
    const { _id } = await insertImage(stack, seller, { form });
    await generations.updateOne({ _id }, { $set: { created_at: new Date(at) } });
    return _id;
  };
  // At the first and the last moment of a day, and just outside.
  await made('2026-03-01T23:59:59.999Z');
  await made('2026-03-02T00:00:00.000Z');
  await made('2026-03-02T12:00:00.000Z', { projectId: project.id });
  await made('2026-03-04T23:59:59.999Z', { projectId: project.id });
  await made('2026-03-05T00:00:00.000Z');
  // One that was deleted since is still used.
  const deleted = await made('2026-03-04T10:00:00.000Z', { projectId: project.id });
  expect((await seller.request(paths.generation(deleted), { method: 'DELETE' })).status).toBe(200);
  // One that was made again at no charge, one that failed, and one that was stopped for free are not; one that was stopped while
  // a preview was visible is.
  const changes = [
    { remake_of: 'x' },
    { state: 'failed' },
    { state: 'cancelled' },
    { state: 'cancelled', charged: true },
  ];
  for (const change of changes)
    await generations.updateOne({ _id: await made('2026-03-04T11:00:00.000Z') }, { $set: change });
  // Another seller's.
  const other = await insertImage(stack, await stack.seller());
  await generations.updateOne({ _id: other._id }, { $set: { created_at: new Date('2026-03-03T00:00:00Z') } });

  expect(await get('?from=2026-03-02&to=2026-03-04')).toMatchObject({
    status: 200,
    body: {
      from: '2026-03-02',
      to: '2026-03-04',
      images: 5,
      days: [
        { date: '2026-03-02', images: 2 },
        { date: '2026-03-03', images: 0 },
        { date: '2026-03-04', images: 3 },
      ],
      projects: [
        { id: project.id, name: 'Autumn', images: 3 },
        { id: seller.id, name: expect.any(String), images: 2 },
      ],
      keys: [{ id: null, name: null, images: 5 }],
    },
  });
  const removed = await seller.request(`${paths.project(project.id)}?images=delete`, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  // Images of a deleted project are in the default one.
  expect((await get('?from=2026-03-02&to=2026-03-04')).body).toMatchObject({
    images: 5,
    projects: [{ id: seller.id, images: 5 }],
  });
});

test('the last 30 days are given unless others are asked for, up to the limit', async ({
  stack,
  seller,
  get,
}) => {
  await insertImage(stack, seller);
  const { body } = await get();
  expect(body.days).toHaveLength(30);
  expect(body.days.at(-1)!.date).toBe(body.to);
  expect(body.images).toBe(1);
  const year = (await get(`?from=2024-01-01&to=2024-12-31`)).body;
  expect(year.days).toHaveLength(v1UsageDays);
  expect(year.days[59]!.date).toBe('2024-02-29');
  expect((await get('?to=2026-03-01')).body).toMatchObject({ from: '2026-01-31', to: '2026-03-01' });
  for (const wrong of [
    'from=2026-03-02&to=2026-03-01',
    'from=2024-01-01&to=2025-01-01',
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-03-01T00:00:00Z',
    'from=0000-00-00',
    'key=x',
  ]) {
    const answer = await get<ErrorReply>(`?${wrong}`);
    expect([wrong, answer.status, answer.body.error.code]).toEqual([wrong, 400, 'VALIDATION']);
  }
});

test('an image knows the key that asked for it, also once that was revoked, and each counts for its own key', async ({
  stack,
  seller,
  get,
}) => {
  const { generations } = stack.models;
  const [shop, agency] = [
    await giveKey(stack, seller, { name: '=Shop' }),
    await giveKey(stack, seller, { name: 'Agency' }),
  ];
  const idOf = async (key: string) => (await findApiKey(stack.db, hashKey(key)))!._id;
  const [shopId, agencyId] = [await idOf(shop), await idOf(agency)];
  const make = async (key: string, numImages: number, idempotencyKey: string) => {
    const form = new FormData();
    form.set('prompt', 'On a table');
    form.set('numImages', String(numImages));
    form.set('photos', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'cup.png');
    const answer = await callWithKey<V1Created>(stack.url, key, 'POST', v1Paths.generations, form, {
      'idempotency-key': idempotencyKey,
    });
    expect(answer.status).toBe(202);
    return answer.body.generations.map(({ id }) => id);
  };
  const ofShop = await make(shop, 2, 'usage-1');
  // The same request with another key gets the images of the first one.
  expect(await make(agency, 2, 'usage-1')).toEqual(ofShop);
  const ofAgency = await make(agency, 1, 'usage-2');
  for (const id of [...ofShop, ...ofAgency]) await finishImage(stack, id);
  await insertImage(stack, seller);
  // What was made again at no charge knows its key, and is not counted.
  await generations.updateOne({ _id: ofShop[0] }, { match: { level: 'low', area: null } });
  const remade = await callWithKey<V1Created>(stack.url, agency, 'POST', v1Paths.remake(ofShop[0]!));
  const changed = await callWithKey<V1Created>(stack.url, agency, 'POST', v1Paths.change(ofShop[1]!), {
    instruction: 'A darker table',
  });
  for (const { status, body } of [remade, changed]) {
    expect(status).toBe(202);
    const row = await finishImage(stack, body.generations[0]!.id);
    expect(row.api_key).toEqual({ id: agencyId, name: 'Agency' });
  }
  expect((await call(seller, 'DELETE', apiKeyPaths.apiKey(shopId))).status).toBe(204);

  const keys = [
    { id: agencyId, name: 'Agency', images: 2 },
    { id: shopId, name: '=Shop', images: 2 },
    { id: null, name: null, images: 1 },
  ].toSorted((one, other) => other.images - one.images || (one.id! < other.id! ? -1 : 1));
  const { body } = await get();
  expect(body.images).toBe(5);
  expect(body.keys).toEqual(keys);

  const { body: shown } = await call<Usage>(
    seller,
    'GET',
    `${usagePaths.usage}?from=${body.from}&to=${body.to}`,
  );
  expect(shown.lines.reduce((sum, { images }) => sum + images, 0)).toBe(5);
  expect(shown.lines).toContainEqual({ date: body.to, projectId: seller.id, keyId: shopId, images: 2 });
  expect(shown.keys).toEqual(
    expect.arrayContaining([
      { id: shopId, name: '=Shop' },
      { id: agencyId, name: 'Agency' },
    ]),
  );

  const reply = await fetch(`${stack.url}${usagePaths.csv}?from=2026-01-01&to=${body.to}`, {
    headers: { authorization: `Bearer ${seller.token}` },
  });
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(reply.headers.get('content-disposition')).toContain(`packshot-usage-2026-01-01-to-${body.to}.csv`);
  const lines = Papa.parse<string[]>((await reply.text()).replace(/^\uFEFF/, '').trim()).data;
  expect(lines[0]).toEqual(['Day', 'Project', 'Project id', 'API key', 'API key id', 'Images']);
  // A day without images has a line as well, and no name is a formula.
  expect(lines[1]).toEqual(['2026-01-01', '', '', '', '', '0']);
  expect(lines.at(-1)![0]).toBe(body.to);
  expect(lines).toContainEqual([body.to, expect.any(String), seller.id, "'=Shop", shopId, '2']);
  expect(lines.slice(1).reduce((sum, line) => sum + Number(line[5]), 0)).toBe(5);
});
