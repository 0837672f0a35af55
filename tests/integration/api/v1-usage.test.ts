/** Version 1 of the API: which images were used, by day and by project. */
import { expect } from 'vitest';
import { type ErrorReply, type ProjectView, paths, type V1Usage, v1UsageDays, v1UsagePath } from '#contract';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
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
