/** Repeated requests at the end of a plan, and many at the same moment. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { hasEnded, type SubscriptionStatus } from '#contract';
import { submitForm } from '#server/generations/submit-form.ts';
import { forfeitUntil, sampleSubmission } from '#tests/support/credits.ts';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStack } from '#tests/support/test.ts';
import { expectNoCredits, idsOf, rowsOf } from './submits-steps.ts';

const test = testWithStack({ workers: 0 });

const inactive: SubscriptionStatus[] = [
  'inactive',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
  'canceled',
];

test('20 concurrent requests with one key and different bodies: one is accepted, the others are refused', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => seller.send({ idempotencyKey, prompt: `Scene ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    expectError(answer, 'IDEMPOTENCY_MISMATCH');
  }
  expect(await rowsOf(stack, seller)).toHaveLength(1);
  expect((await seller.me()).subscription.generationsHeld).toBe(1);
  await expectNoStrayFile(stack);
});

test('a repeated key gets the first reply also when no images are left', async ({ stack }) => {
  const seller = await stack.seller();
  await forfeitUntil(stack, seller, 1);
  const idempotencyKey = randomUUID();
  const first = await seller.submit({ idempotencyKey });
  await expectNoCredits(await seller.send(), seller);
  expect((await seller.submit({ idempotencyKey })).id).toBe(first.id);
});

test('a request that was admitted before the first one under its key was accepted gets its reply', async ({
  stack,
}) => {
  const seller = await stack.seller();
  await forfeitUntil(stack, seller, 1);
  const key = randomUUID();
  const idsOfSubmit = async () => {
    const submission = await sampleSubmission(stack, seller.id, { key });
    return (await submitForm(stack.server.context, submission)).accepted.map(({ row }) => row._id);
  };
  expect(await idsOfSubmit()).toEqual(await idsOfSubmit());
  expect(await rowsOf(stack, seller)).toHaveLength(1);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 0, generationsHeld: 1 });
});

test('six concurrent requests with one key and one image left: all get the first reply', async ({
  stack,
}) => {
  const seller = await stack.seller();
  await forfeitUntil(stack, seller, 1);
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => seller.send({ idempotencyKey })));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
  expect(idsOf(answers).size).toBe(1);
});

test('a submit with a subscription that does not count is refused', async ({ stack }) => {
  for (const plan of ['freelance', 'enterprise'] as const) {
    const seller = await stack.seller({ plan });
    const setStatus = (status: SubscriptionStatus) =>
      stack.models.profiles.updateOne({ _id: seller.id }, { $set: { subscription_status: status } });
    for (const status of inactive) {
      await setStatus(status);
      expectError(await seller.send(), status === 'past_due' ? 'PAYMENT_OVERDUE' : 'NO_SUBSCRIPTION');
    }
    await expectNothingLeft(stack, seller.id);
    // As it is at Stripe, with which a later audit compares it.
    await setStatus('active');
  }
});

test('40 concurrent submits with 5 images left: exactly 5 are accepted', async ({ stack }) => {
  const seller = await stack.seller();
  await forfeitUntil(stack, seller, 5);
  const answers = await Promise.all(Array.from({ length: 40 }, () => seller.send()));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(5);
  expect(idsOf(accepted).size).toBe(5);
  for (const answer of answers.filter(({ status }) => status !== 202)) await expectNoCredits(answer, seller);
  expect(await rowsOf(stack, seller)).toHaveLength(5);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 0, generationsHeld: 5 });
  await expectNoStrayFile(stack);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);

  const window = await seller.openWindow();
  await stack.startWorker();
  const listed = await seller.generations();
  const ended = listed.map((view) => (hasEnded(view.state) ? view : window.untilEnded(view.id)));
  for (const view of await Promise.all(ended)) expect(view.state).toBe('succeeded');
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 0, generationsHeld: 0 });
  window.close();
});
