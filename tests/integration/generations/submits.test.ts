/** Repeated requests under one idempotency key, and concurrent requests that a plan does not cover. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { forfeitUntil } from '#tests/support/credits.ts';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { colouredPhoto, samplePhoto } from '#tests/support/photos.ts';
import { testWithStack } from '#tests/support/test.ts';
import { expectNoCredits, idsOf, rowsOf } from './submits-steps.ts';

const test = testWithStack({ workers: 0 });

test('a repeated key gets the first reply: one row, one hold', async ({ stack }) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  const first = await seller.submit({ idempotencyKey });
  const repeated = await seller.submit({ idempotencyKey });
  expect(repeated).toEqual(first);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  expect(await rowsOf(stack, seller)).toHaveLength(1);
  // Its photos were normalised once more.
  await expectNoStrayFile(stack);
  // Keys are separate for each seller.
  const other = await stack.seller();
  expect((await other.submit({ idempotencyKey })).id).not.toBe(first.id);
});

test('a repeated key with another body is refused', async ({ stack }) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  await seller.submit({ idempotencyKey, prompt: 'One', productName: 'Cup' });
  const photo = await samplePhoto();
  for (const form of [
    { prompt: 'Two', productName: 'Cup' },
    { prompt: 'One' },
    { prompt: 'One', productName: 'Mug' },
    { prompt: 'One', productName: 'Cup', photos: [photo, photo] },
    { prompt: 'One', productName: 'Cup', photos: [await colouredPhoto('#123456')] },
  ]) {
    expectError(await seller.send({ ...form, idempotencyKey }), 'IDEMPOTENCY_MISMATCH');
  }
  expect(await rowsOf(stack, seller)).toHaveLength(1);
  expect((await seller.me()).subscription.generationsHeld).toBe(1);
  await expectNoStrayFile(stack);
});

test('20 concurrent requests with one key and one body: one row, one hold, the same id in all replies', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => seller.send({ idempotencyKey })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
  expect(idsOf(answers).size).toBe(1);
  expect(await rowsOf(stack, seller)).toHaveLength(1);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  await expectNoStrayFile(stack);
});

test('the key of a refused request can be used again', async ({ stack }) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  expectError(await seller.send({ idempotencyKey, photos: [Buffer.from('no photo')] }), 'TYPE_UNSUPPORTED');
  await expectNothingLeft(stack, seller.id);
  await seller.submit({ idempotencyKey });
});

test('a submit without images left is refused', async ({ stack }) => {
  const seller = await stack.seller();
  await forfeitUntil(stack, seller, 0);
  await expectNoCredits(await seller.send(), seller);
  await expectNothingLeft(stack, seller.id);
});
