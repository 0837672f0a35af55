import { expect } from 'vitest';
import { findVisible } from '#shared/data/generations/find.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { firstRelease } from '#tests/support/first-release.ts';
import { test } from './harness.ts';

test('a request of the first release that was interrupted is a generation in `receiving`, which no seller sees', async ({
  newDatabase,
}) => {
  const { db, startServer, startWorker } = await newDatabase();
  const generations = connectionOf(db).db!.collection<{ _id: string; [field: string]: unknown }>(
    'generations',
  );
  const queued = (await generations.findOne({ _id: firstRelease.queued }))!;
  const interrupted = '6b02d81d02648ec0deabc081';
  await generations.insertOne({
    ...queued,
    _id: interrupted,
    idempotency_key: interrupted,
    admitted_at: null,
    photos: [],
  });

  await startServer();
  expect(await modelsOf(db).generations.findById(interrupted).lean()).toMatchObject({
    state: 'receiving',
    queued_at: null,
  });
  expect(await findVisible(db, interrupted)).toBeNull();
  expect(await findVisible(db, firstRelease.queued)).toMatchObject({
    state: 'queued',
    queued_at: queued.admitted_at,
  });
  expect(await generations.countDocuments({ admitted_at: { $exists: true } })).toBe(0);

  await startWorker();
  await expect.poll(() => generations.countDocuments({ _id: interrupted }), { timeout: 10_000 }).toBe(0);
  expect((await modelsOf(db).generations.findById(firstRelease.queued).lean())?.state).not.toBe('receiving');
});
