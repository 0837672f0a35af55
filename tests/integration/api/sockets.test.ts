/** Sockets: views are sent as the contract defines them, and a socket that sends too much is disconnected (docs/errors.md). */

import { once } from 'node:events';
import type { Socket } from 'socket.io-client';
import { expect } from 'vitest';
import { limits, paths, type SubscriptionView } from '#contract';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

// Views are sent over the socket as the contract defines them, whatever an event on the relay contains.

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

// A socket that sends too much is disconnected; others are not affected (docs/errors.md).

const floods: [what: string, flood: (socket: Socket) => void][] = [
  ['floods with messages', (socket) => repeat(limits.socketMessages + 1, () => socket.emit('hello', 'x'))],
  [
    'floods with pongs',
    (socket) => repeat(limits.socketMessages + 1, () => socket.io.engine.transport.send([{ type: 'pong' }])),
  ],
  ['sends 1 MB', (socket) => socket.emit('hello', 'x'.repeat(1_000_000))],
  ['sends 1 MB of bytes', (socket) => socket.emit('hello', new Uint8Array(1_000_000))],
  ['sends what is not a packet', (socket) => socket.io.engine.write('9invalid')],
];

function repeat(times: number, work: () => void): void {
  for (let count = 0; count < times; count += 1) work();
}

test.for(floods)('a socket that %s is disconnected, others stay', async ([, flood], { seller }) => {
  const [window, bystander] = [await seller.openWindow(), await seller.openWindow()];
  const disconnected = once(window.socket as never, 'disconnect');
  window.socket.io.reconnection(false);
  flood(window.socket);
  await disconnected;
  expect(bystander.socket.connected).toBe(true);
  const { id } = await seller.submit();
  await bystander.until(id, (view) => view.state === 'queued');
  for (const each of [window, bystander]) each.close();
});

test('a socket that sends a small message stays connected', async ({ seller }) => {
  const window = await seller.openWindow();
  (window.socket as unknown as Socket).emit('hello', 'x'.repeat(1_000));
  const { id } = await seller.submit();
  await window.until(id, (view) => view.state === 'queued');
  expect(window.socket.connected).toBe(true);
  window.close();
});

test('a connection that floods before it is authenticated is closed, too', async ({ stack }) => {
  const connection = new WebSocket(
    `${stack.url.replace('http', 'ws')}${paths.socket}/?EIO=4&transport=websocket`,
  );
  const ended = once(connection, 'close');
  await once(connection, 'open');
  repeat(limits.socketMessages + 1, () => connection.send('40/nowhere,'));
  await ended;
});
