/** Records that are written together. */
import { expect } from 'vitest';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { type AttemptRow, listAttempts, saveAttempt } from '#shared/data/operator/attempt-records.ts';
import { countEndInMinute, minuteOf } from '#shared/data/operator/minutes.ts';
import { testWithStoreProxies } from '#tests/support/test.ts';

const test = testWithStoreProxies({ workers: 0 });

const attempt = (generation: string): AttemptRow => ({
  _id: `${generation}-1`,
  generation,
  fence: 1,
  worker: 'host:1',
  claimed_at: new Date(),
  detail: '',
  call_at: null,
  call_ms: null,
  call_result: null,
  call_status: null,
  call_code: null,
  request_id: null,
  ended_at: null,
  outcome: null,
});
const end = (at: Date) => ({ at, images: 1, failure: null, bucket: 7 });
const outcomes = async (db: Db, generation: string) =>
  (await listAttempts(db, generation, 10)).map(({ outcome }) => outcome);

test('what waits is written before the handle is closed, in the order of the calls', async ({ stack }) => {
  const db = await connectDb(stack.config.mongodbUrl);
  const at = new Date('2026-01-01T10:00:30Z');
  const written = Promise.all([
    saveAttempt(db, attempt('closed')),
    saveAttempt(db, { ...attempt('closed'), outcome: 'succeeded', ended_at: new Date() }),
    countEndInMinute(db, end(at)),
    countEndInMinute(db, end(at)),
  ]);
  await db.close();
  await written;
  expect(await outcomes(stack.db, 'closed')).toEqual(['succeeded']);
  expect(await stack.models.minutes.findOne({ at: minuteOf(at) }).lean()).toMatchObject({
    images: 2,
    durations: { 7: 2 },
  });
});

test('what comes after a statement began goes into the next one', async ({ stack }) => {
  await saveAttempt(stack.db, attempt('later'));
  expect(await outcomes(stack.db, 'later')).toEqual([null]);
  await saveAttempt(stack.db, { ...attempt('later'), outcome: 'failed', ended_at: new Date() });
  expect(await outcomes(stack.db, 'later')).toEqual(['failed']);
});

test('while the database is away records are lost with an error, and those after it are written', async ({
  stack,
  mongo,
}) => {
  const db = await connectDb(mongo.url);
  mongo.cut();
  await expect(saveAttempt(db, attempt('lost'))).rejects.toThrow();
  mongo.restore();
  await expect
    .poll(() => saveAttempt(db, attempt('kept')).then(() => outcomes(stack.db, 'kept')))
    .toEqual([null]);
  expect(await outcomes(stack.db, 'lost')).toEqual([]);
  await db.close();
});
