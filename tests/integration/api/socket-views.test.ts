/** Views are sent over the socket as the contract defines them, whatever an event on the relay contains. */
import { expect } from 'vitest';
import type { SubscriptionView } from '#contract';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

test('a field of a generation that the contract does not have is not sent', async ({
  stack,
  seller,
  window,
}) => {
  const view = await seller.submit();
  const revision = view.revision + 1;
  const generation = { ...view, revision, idempotency_key: 'secret' };
  stack.server.context.relay.publish(seller.id, { generation });
  expect(await window.until(view.id, (received) => received.revision === revision)).toEqual({
    ...view,
    revision,
  });
});

test('a field of a subscription that the contract does not have is not sent', async ({
  stack,
  seller,
  window,
}) => {
  const { subscription } = await seller.me();
  const received = new Promise<SubscriptionView>((resolve) => window.socket.once('subscription', resolve));
  stack.server.context.relay.publish(seller.id, {
    subscription: Object.assign({}, subscription, { stripe_customer_id: 'cus_secret' }),
  });
  expect(await received).toEqual(subscription);
});

test('a view that does not match the contract is not sent, and the next one is', async ({
  stack,
  seller,
  window,
}) => {
  const view = await seller.submit();
  const { relay } = stack.server.context;
  const [broken, next] = [view.revision + 1, view.revision + 2];
  relay.publish(seller.id, { generation: { ...view, revision: broken, state: 'lost' as 'queued' } });
  relay.publish(seller.id, { generation: { ...view, revision: next } });
  await window.until(view.id, ({ revision }) => revision === next);
  expect(window.views.map(({ revision }) => revision)).not.toContain(broken);
});
