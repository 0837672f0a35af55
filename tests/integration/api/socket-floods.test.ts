/** A socket that sends too much is disconnected; others are not affected (docs/errors.md). */
import { once } from 'node:events';
import type { Socket } from 'socket.io-client';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

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
