import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let proxy: TcpProxy;
const echo = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => echo.emit('echoed'));
  socket.pipe(socket);
});

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy(`http://127.0.0.1:${(echo.address() as AddressInfo).port}`);
});

afterAll(async () => {
  await proxy.close();
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const answerTo = async (socket: Socket, text: string) => {
  socket.write(text);
  return String((await once(socket, 'data'))[0]);
};

test('packets of a slow connection come late, and before those of the time after it', async () => {
  const socket = await open();
  let answer = '';
  socket.on('data', (packet) => {
    answer += packet;
  });
  proxy.slow(60);
  const began = performance.now();
  const arrived = once(echo, 'echoed');
  socket.write('one ');
  await arrived;
  expect(performance.now() - began).toBeGreaterThanOrEqual(55);
  proxy.restore();
  socket.write('two');
  while (answer.length < 7) await once(socket, 'data');
  expect(answer).toBe('one two');
  socket.destroy();
});

test.each(['to-target', 'to-client', 'both'] as const)(
  'a connection that lost a packet (%s) is closed when the proxy is restored, and new ones work',
  async (direction) => {
    const socket = await open();
    expect(await answerTo(socket, 'before')).toBe('before');
    proxy.blackHole(direction);
    const closed = once(socket, 'close');
    let received = '';
    socket.on('data', (packet) => {
      received += packet;
    });
    socket.write('lost');
    // What goes around by another connection to the server has had its time to be lost.
    const other = connect((echo.address() as AddressInfo).port, '127.0.0.1');
    await once(other, 'connect');
    await answerTo(other, 'a');
    await answerTo(other, 'b');
    other.destroy();
    proxy.restore();
    await closed;
    expect(received).toBe('');
    const next = await open();
    expect(await answerTo(next, 'after')).toBe('after');
    next.destroy();
  },
);

test('reset closes what is open, and nothing else', async () => {
  const socket = await open();
  await answerTo(socket, 'before');
  const closed = once(socket, 'close');
  proxy.reset();
  await closed;
  const next = await open();
  expect(await answerTo(next, 'after')).toBe('after');
  next.destroy();
});

test('it says when the target has answered a text, unless nobody waits any more', async () => {
  const socket = await open();
  const [early, waiting] = [new AbortController(), new AbortController()];
  let sawEarly = false;
  void proxy.answered('image', early.signal).then(() => {
    sawEarly = true;
  });
  const answered = proxy.answered('image', waiting.signal);
  early.abort();
  await answerTo(socket, 'preview');
  await answerTo(socket, 'an image');
  await answered;
  expect(sawEarly).toBe(false);
  socket.destroy();
});
