import { expect } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0, settings: { WORKER_GRACE_MS: String(limitMs(500)) } });
test.afterEach(({ stack }) => stack.stripe.reset());

const longAgo = () => new Date(Date.now() - 2 * 3_600_000);

/** Stores an event that has not been handled. */
async function storeEvent(stack: TestStack, id: string, customer: string, minutesAgo: number): Promise<void> {
  await stack.models.stripeEvents.create({
    _id: id,
    type: 'customer.subscription.updated',
    customer,
    received_at: new Date(Date.now() - minutesAgo * 60_000),
  });
}

/** Makes Stripe answer every request about these customers with an error. */
async function breakCustomers(stack: TestStack, customers: readonly string[]): Promise<void> {
  const faults = customers.flatMap((match) => Array(200).fill({ when: 'before', status: 500, match }));
  await stack.stripe.set({ faults });
}

test('customers for whom Stripe fails delay no other; they are retried with growing delays', async ({
  stack,
}) => {
  const [bad, good] = [await subscriber(stack, 'freelance'), await subscriber(stack, 'freelance')];
  await stack.stripe.set({ webhooks: { hold: true } });
  const [badProfile, goodProfile] = [await profileOf(stack, bad), await profileOf(stack, good)];
  for (const { _id, subscription_id: subscription } of [badProfile, goodProfile]) {
    await stack.stripe.cancelAtPeriodEnd(subscription!);
    await stack.models.profiles.updateOne(
      { _id },
      { $set: { 'subscription_data.current_period_end': longAgo(), billing_seen_at: longAgo() } },
    );
  }
  await storeEvent(stack, 'evt_bad', badProfile.stripe_customer_id!, 5);
  await storeEvent(stack, 'evt_good', goodProfile.stripe_customer_id!, 2);
  await breakCustomers(stack, [badProfile.stripe_customer_id!]);

  const startedAt = Date.now();
  const worker = await stack.startWorker({ UPKEEP_INTERVAL_MS: '100' });
  try {
    await expect
      .poll(async () => (await stack.models.stripeEvents.findById('evt_good').lean())?.handled_at)
      .toBeTruthy();
    await expect
      .poll(async () => (await profileOf(stack, good)).subscription_data?.cancel_at_period_end)
      .toBe(true);
    const dueIn = async () => {
      const row = await stack.models.stripeEvents.findById('evt_bad').lean();
      return (row?.due_at?.getTime() ?? 0) - startedAt;
    };
    await expect.poll(dueIn).toBeGreaterThan(25_000);
    expect(await stack.models.stripeEvents.findById('evt_bad')).toMatchObject({ tries: 1, handled_at: null });
    await expect.poll(async () => (await profileOf(stack, bad)).billing_retry?.tries).toBe(1);

    // The second delay is twice as long.
    await stack.models.stripeEvents.updateOne({ _id: 'evt_bad' }, { $set: { due_at: new Date() } });
    await expect.poll(dueIn).toBeGreaterThan(55_000);

    // Stripe works again.
    await stack.stripe.reset();
    await stack.models.stripeEvents.updateOne({ _id: 'evt_bad' }, { $set: { due_at: new Date() } });
    await expect
      .poll(async () => (await stack.models.stripeEvents.findById('evt_bad').lean())?.handled_at)
      .toBeTruthy();
    expect(await profileOf(stack, bad)).toMatchObject({
      billing_retry: null,
      subscription_data: { cancel_at_period_end: true },
    });
  } finally {
    await worker.close();
  }
});

test('a Stripe that hangs does not delay the recovery of a lost job', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ webhooks: { hold: true } });
  const { id } = await seller.submit();
  await stack.server.context.queue.obliterate({ force: true });
  await stack.models.generations.updateOne({ _id: id }, { $set: { queued_at: longAgo() } });
  await storeEvent(stack, 'evt_slow', (await profileOf(stack, seller)).stripe_customer_id!, 5);
  await stack.stripe.set({ latencyMs: limitMs(60_000) });
  const worker = await stack.startWorker({ UPKEEP_INTERVAL_MS: '100' });
  try {
    await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
  } finally {
    await stack.stripe.reset();
    await worker.close();
  }
});
