/** While operators have closed Packshot no image begins; what is under way is made, and what waits goes on afterwards. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ErrorReply, type GenerationSet, operatorPaths, paths, type Service } from '#contract';
import { call } from '#tests/support/account.ts';
import { readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { expectCleanSoon, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ settings: { ...frequentUpkeep, BATCH_WINDOW: '1' } }).extend(
  'operator',
  { scope: 'file' },
  ({ stack }) => operatorOf(stack),
);

const reason = 'A new version';
const hour = 3_600_000;

async function submitForm(seller: Seller, idempotencyKey: string) {
  const form = new FormData();
  form.set('prompt', 'On a wooden table');
  form.set('images', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'photo.png');
  return seller.request(paths.generations, {
    method: 'POST',
    body: form,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

test('no image begins, whichever way it comes; what is under way is made, and batches go on afterwards', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'enterprise');
  const [made, poor] = [await insertImage(stack, seller), await insertImage(stack, seller)];
  await stack.models.generations.updateOne({ _id: poor._id }, { match: { level: 'low', area: null } });
  await stack.images.set({ default: { kind: 'hold' } });
  const key = randomUUID();
  const first = await submitForm(seller, key);
  expect(first.status).toBe(202);
  const batch = await startedBatch(seller, await sampleRows(3));
  const counts = async () => (await readBatch(seller, batch)).counts;
  await expect.poll(counts, eventually).toMatchObject({ underWay: 1, waiting: 2 });

  const until = new Date(Date.now() + hour);
  const closedFrom = new Date(Date.now() - 1_000).toISOString();
  const close = { text: 'We are updating Packshot.', closedFrom, until: until.toISOString(), reason };
  expect((await call(operator, 'PUT', operatorPaths.banner, close)).status).toBe(200);
  const { banner } = (await (await fetch(stack.url + paths.service)).json()) as Service;
  expect(banner?.closedUntil).toBe(close.until);
  const refused = await submitForm(seller, randomUUID());
  const time = until.toISOString().slice(11, 16);
  expectError(refused, 'MAINTENANCE', {
    message: expect.stringMatching(
      `^Packshot is being maintained. You can create images again .*at ${time} UTC.$`,
    ),
  });
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(hour / 1_000);
  const others = [
    await call(seller, 'POST', paths.changes(made._id), { instruction: 'Make the table white' }),
    await seller.request(paths.remake(poor._id), { method: 'POST' }),
  ];
  for (const other of others) expect((other.body as ErrorReply).error.code).toBe('MAINTENANCE');
  // A request that was accepted before is answered again.
  const idsOf = ({ body }: { body: unknown }) => (body as GenerationSet).generations.map(({ id }) => id);
  expect(idsOf(await submitForm(seller, key))).toEqual(idsOf(first));

  await stack.images.reset();
  await expect.poll(counts, eventually).toMatchObject({ underWay: 0, waiting: 2, succeeded: 1 });
  // Two that were there, the first request and the first of the batch.
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'succeeded'));

  await stack.models.banners.updateOne({}, { until: new Date(Date.now() - 1) });
  await expect.poll(counts, eventually).toMatchObject({ succeeded: 3 });
  expect((await submitForm(seller, randomUUID())).status).toBe(202);
  await expectCleanSoon(stack);
});

test('what is not announced with its end is refused', async ({ operator }) => {
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  for (const [closedFrom, until] of [
    [at(hour), null],
    [at(hour), at(hour)],
    [at(2 * hour), at(hour)],
  ]) {
    const reply = await call(operator, 'PUT', operatorPaths.banner, {
      text: 'Soon',
      closedFrom,
      until,
      reason,
    });
    expectError(reply, 'VALIDATION', {
      message: 'Please choose when new images are accepted again, after they are closed.',
      field: 'until',
    });
  }
});
