/** Processes that die between a state and its delivery lose no event. */
import { afterAll, expect } from 'vitest';
import { testEvent } from '#contract';
import { findOverdue, insertDelivery } from '#shared/data/webhooks/deliveries.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  deliveriesTo,
  makeWebhook,
  startWebhookReceiver,
  verified,
} from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const settings = { ...frequentUpkeep, WEBHOOKS_TO_LOOPBACK: 'true' };
const test = testWithSeller({ workers: 0, settings });

test(
  'killed while it sends: another worker sends it again, with the same id',
  async ({ stack, seller }) => {
    const { id, secret } = await makeWebhook(seller, receiver.url('/killed'), ['generation.succeeded']);
    receiver.ways.set('/killed', ['hang', { status: 204 }]);
    const first = await stack.startWorkerProcess();
    await insertImage(stack, seller);
    await expect.poll(() => receiver.at('/killed').length, eventually).toBe(1);
    await first.kill();
    // Nothing is lost, and nothing waits for longer than the leases of the worker that died.
    const longAgo = new Date(Date.now() - 3_600_000);
    await stack.models.webhookEndpoints.updateOne({ _id: id }, { $set: { lease_until: longAgo } });
    await stack.models.webhookDeliveries.updateOne({ endpoint: id }, { $set: { due_at: longAgo } });
    await stack.startWorker();
    await expect.poll(async () => (await deliveriesTo(seller, id))[0]!.state, eventually).toBe('delivered');
    const arrived = receiver.at('/killed');
    expect(arrived).toHaveLength(2);
    for (const each of arrived) expect(verified(each, secret).type).toBe('generation.succeeded');
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  },
  limitMs(90_000),
);

test('killed between the end of an image and its event: upkeep records the event, once', async ({
  stack,
  seller,
}) => {
  const { id } = await makeWebhook(seller, receiver.url('/unsettled'), ['generation.succeeded']);
  const row = await insertImage(stack, seller, { settle: false });
  expect(await deliveriesTo(seller, id)).toEqual([]);
  await stack.models.generations.updateOne(
    { _id: row._id },
    { $set: { ended_at: new Date(Date.now() - 60_000) } },
  );
  const worker = await stack.startWorker();
  await expect.poll(() => receiver.at('/unsettled').length, eventually).toBe(1);
  // The state after a process that died before it recorded that all was done.
  await stack.models.generations.updateOne({ _id: row._id }, { $set: { settlement_due: true } });
  await expect
    .poll(async () => (await stack.models.generations.findById(row._id).lean())!.settlement_due, eventually)
    .not.toBe(true);
  expect(await deliveriesTo(seller, id)).toHaveLength(1);
  expect(receiver.at('/unsettled')).toHaveLength(1);
  await worker.close();
});

test('what waits for a webhook that rests, however much, hides nothing that is late for another', async ({
  stack,
  seller,
}) => {
  const other = await stack.seller();
  const [resting, free] = [
    (await makeWebhook(seller, receiver.url('/resting'))).id,
    (await makeWebhook(other, receiver.url('/late'))).id,
  ];
  const { webhookDeliveries, webhookEndpoints } = stack.models;
  const tomorrow = new Date(Date.now() + 86_400_000);
  await webhookEndpoints.updateOne({ _id: resting }, { $set: { rest_until: tomorrow } });
  const insert = (profile: string, endpoint: string, event: string) =>
    insertDelivery(stack.db, { profile, endpoint, event, type: testEvent, object: event, body: '{}' });
  for (let index = 0; index < 8; index += 1) await insert(seller.id, resting, `msg_${index}`);
  await insert(other.id, free, 'msg_late');
  const longAgo = (minutes: number) => ({ $set: { due_at: new Date(Date.now() - minutes * 60_000) } });
  await webhookDeliveries.updateMany({ endpoint: resting }, longAgo(20));
  await webhookDeliveries.updateMany({ endpoint: free, state: 'waiting' }, longAgo(10));
  // Fewer than what rests.
  const found = await findOverdue(stack.db, new Date(Date.now() - 300_000), 4);
  expect(found.map(({ endpoint }) => endpoint)).toEqual([free]);
  await stack.startWorker();
  await expect.poll(() => receiver.at('/late').length, eventually).toBe(1);
  expect(receiver.at('/resting')).toEqual([]);
});
