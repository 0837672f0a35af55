import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { hostileAddresses, privateAddresses } from '#tests/support/hostile-addresses.ts';
import { limitMs } from '#tests/support/machine.ts';
import { otherHost, startStrangerServer, strangerHost } from '#tests/support/stranger-server.ts';
import { createOutbound, type OutboundOptions, type OutboundRules } from './outbound.ts';
import type { OutboundError } from './outbound-error.ts';

const photo = Buffer.from('a photo, as far as this module knows');
const stranger = await startStrangerServer({ '/photo.png': ['image/png; charset=x', photo] });
afterAll(() => stranger.close());
beforeEach(() => {
  for (const host of [strangerHost, otherHost]) stranger.answers.set(host, [['127.0.0.1']]);
  stranger.resolved.length = 0;
  stranger.requests.length = 0;
});

const megabyte = 1024 * 1024;
const usual: OutboundOptions = { accept: 'image/*', mostBytes: megabyte };

async function read(address: string, rules?: Partial<OutboundRules>, options?: Partial<OutboundOptions>) {
  return stranger.outbound(rules).get(address, { ...usual, ...options }, async (body, mediaType) => {
    const pieces = [];
    for await (const piece of body) pieces.push(piece);
    return { content: Buffer.concat(pieces), mediaType };
  });
}

/** Why an address is not fetched; its status with `status`. */
const failure = (...given: Parameters<typeof read>): Promise<string> =>
  read(...given).then(
    ({ content }) => `fetched ${content.length} bytes`,
    (error: OutboundError) => [error.failure, error.status].filter(Boolean).join(' '),
  );

const leadsTo = (to: string, status = 302) =>
  stranger.url(`/redirect?${new URLSearchParams({ to, status: String(status) })}`);

test('what is at an address is read, with headers that say who asks and nothing else', async () => {
  const { content, mediaType } = await read(stranger.url('/photo.png?signature=1#part'));
  expect(content).toEqual(photo);
  expect(mediaType).toBe('image/png');
  expect(stranger.requests).toEqual([
    {
      path: '/photo.png?signature=1',
      headers: {
        accept: 'image/*',
        'accept-encoding': 'identity',
        'user-agent': 'Packshot/test',
        host: `${strangerHost}:${stranger.port}`,
        connection: 'close',
      },
    },
  ]);
  await expect.poll(stranger.openConnections).toBe(0);
});

test('hostile addresses: nothing is resolved or called', async () => {
  const strict = { ports: [443], isPublic: undefined };
  for (const [address, why] of hostileAddresses) {
    expect(`${address} ${await failure(address, strict)}`).toBe(`${address} ${why}`);
  }
  expect([stranger.resolved, stranger.requests]).toEqual([[], []]);
});

test('a name that leads to an address that is not public, even beside one that is, and a name that leads nowhere', async () => {
  for (const address of privateAddresses.filter((each) => each !== '127.0.0.1')) {
    for (const answer of [[address], ['127.0.0.1', address]]) {
      stranger.answers.set(strangerHost, [answer]);
      expect(`${answer} ${await failure(stranger.url('/photo.png'))}`).toBe(`${answer} not-public`);
    }
  }
  expect(await failure('https://nowhere.example/a.jpg')).toBe('not-public');
  expect(stranger.requests).toEqual([]);
});

test('without what tests permit, 127.0.0.1 is refused as well', async () => {
  const { port } = stranger;
  const product = createOutbound({
    proxy: undefined,
    userAgent: 'x',
    ports: [port],
    resolve: async () => ['127.0.0.1'],
  });
  const url = stranger.url('/photo.png');
  await expect(product.get(url, usual, async () => 1)).rejects.toMatchObject({ failure: 'not-public' });
  expect(stranger.requests).toEqual([]);
});

test('DNS rebinding: the address that was checked is the one that is called', async () => {
  stranger.answers.set(strangerHost, [['127.0.0.1'], ['10.0.0.1']]);
  expect((await read(stranger.url('/photo.png'))).content).toEqual(photo);
  expect(stranger.resolved).toEqual([strangerHost]);
  // A redirect to the same name asks again.
  stranger.answers.set(strangerHost, [['127.0.0.1'], ['10.0.0.1']]);
  expect(await failure(leadsTo('/photo.png'))).toBe('not-public');
  expect(stranger.requests.map(({ path }) => path.split('?')[0])).toEqual(['/photo.png', '/redirect']);
});

test.for([301, 302, 303, 307, 308])('a redirect by %i is followed', async (status) => {
  expect((await read(leadsTo(stranger.url('/photo.png'), status))).content).toEqual(photo);
  expect((await read(leadsTo('photo.png', status))).content).toEqual(photo);
});

test('three redirects are followed, and no fourth', async () => {
  const third = leadsTo(leadsTo(leadsTo('/photo.png')));
  expect((await read(third)).content).toEqual(photo);
  expect(await failure(leadsTo(third))).toBe('redirects');
  expect(await failure(leadsTo(stranger.url('/redirect?to=/redirect')))).toMatch(/^fetched/);
});

test('redirects to addresses that are refused', async () => {
  // Others are relative, and 127.0.0.1 is what tests permit.
  const absolute = hostileAddresses.filter(
    ([address]) => URL.canParse(address) && new URL(address).hostname !== '127.0.0.1',
  );
  expect(absolute.length).toBeGreaterThan(60);
  for (const [address, why] of absolute) {
    const found = await failure(leadsTo(Buffer.from(address).toString('latin1')));
    expect(`${address} ${found}`).toBe(`${address} ${why === 'not-public' ? why : 'redirect'}`);
  }
  expect(await failure(leadsTo(`http://${strangerHost}:${stranger.port}/photo.png`))).toBe('redirect');
  expect(await failure(leadsTo('https://169.254.169.254/latest/meta-data/'))).toBe('not-public');
  expect(await failure(stranger.url('/no-place'))).toBe('redirect');
  expect(stranger.requests.filter(({ path }) => path.startsWith('/photo'))).toEqual([]);
});

test('a place in UTF-8, as servers send it', async () => {
  const to = Buffer.from('/photo.png?größe=日本').toString('latin1');
  expect((await read(leadsTo(to))).content).toEqual(photo);
  expect(stranger.requests[1]!.path).toBe('/photo.png?gr%C3%B6%C3%9Fe=%E6%97%A5%E6%9C%AC');
});

test.for([204, 206, 300, 304, 401, 404, 429, 500])('the answer %i is no content', async (status) => {
  expect(await failure(stranger.url(`/status?status=${status}`))).toBe(`status ${status}`);
});

test('compressed content is refused before a byte of it is read', async () => {
  expect(await failure(stranger.url('/bomb'))).toBe('encoded');
});

test('a body that says that it is too large is not read, and one that is without end is read up to the limit', async () => {
  expect(await failure(stranger.url('/large'))).toBe('too-large');
  const before = stranger.sentBytes();
  expect(await failure(stranger.url('/endless'))).toBe('too-large');
  await expect.poll(stranger.openConnections).toBe(0);
  // What is in buffers on the way is not read.
  expect(stranger.sentBytes() - before).toBeLessThan(20 * megabyte);
  const whole = { mostBytes: photo.length };
  expect((await read(stranger.url('/photo.png'), {}, whole)).content).toEqual(photo);
  expect(await failure(stranger.url('/photo.png'), {}, { mostBytes: photo.length - 1 })).toBe('too-large');
});

test('whoever reads may refuse the rest', async () => {
  const enough = new Error('enough');
  const reading = stranger.outbound().get(stranger.url('/endless'), usual, async (body) => {
    for await (const _piece of body) throw enough;
  });
  await expect(reading).rejects.toBe(enough);
  await expect.poll(stranger.openConnections).toBe(0);
});

test('slow strangers: bytes that drip end with the time for all, silence earlier', async () => {
  const short = { seconds: limitMs(300) / 1_000 };
  expect(await failure(stranger.url('/drip'), short)).toBe('timeout');
  expect(await failure(leadsTo(stranger.url('/drip')), short)).toBe('timeout');
  const silent = { silentSeconds: limitMs(150) / 1_000, seconds: limitMs(60_000) / 1_000 };
  for (const path of ['/silent', '/no-reply']) {
    expect(await failure(stranger.url(path), silent)).toBe('timeout');
  }
  await expect.poll(stranger.openConnections).toBe(0);
});

test('a server that accepts connections and says nothing, one that breaks off, and none at all', async () => {
  const sockets: Socket[] = [];
  const mute = createTcpServer((socket) => sockets.push(socket.on('error', () => {}).resume())).listen(
    0,
    '127.0.0.1',
  );
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const rules = { ports: [port], silentSeconds: limitMs(150) / 1_000 };
  expect(await failure(`https://${strangerHost}:${port}/`, rules)).toBe('timeout');
  await expect.poll(() => sockets[0]!.destroyed).toBe(true);
  mute.close();
  expect(await failure(`https://${strangerHost}:${port}/`, rules)).toBe('unreachable');
  expect(await failure(stranger.url('/broken'))).toBe('unreachable');
  expect(await failure(stranger.url('/long-header'))).toBe('unreachable');
});

test('only a trusted certificate for this name will do', async () => {
  expect(await failure(stranger.url('/photo.png'), { authority: undefined })).toBe('certificate');
  const misnamed = `https://${otherHost}:${stranger.port}/photo.png`;
  expect(await failure(misnamed)).toBe('certificate');
  expect(stranger.requests).toEqual([]);
});

test('when nobody waits any more, the call ends', async () => {
  const [gone, reason] = [new AbortController(), new Error('gone')];
  const calling = read(stranger.url('/no-reply'), {}, { signal: gone.signal });
  const reading = read(stranger.url('/silent'), {}, { signal: gone.signal });
  await expect.poll(() => stranger.requests.length).toBe(2);
  gone.abort(reason);
  const late = read(stranger.url('/photo.png'), {}, { signal: gone.signal });
  const ended = await Promise.allSettled([calling, reading, late]);
  expect(ended).toEqual(Array(3).fill({ status: 'rejected', reason }));
  await expect.poll(stranger.openConnections).toBe(0);
  expect(stranger.requests).toHaveLength(2);
});

/** A proxy on this machine. @param connects what it does for CONNECT */
async function startProxy(connects: (socket: Socket, target: string) => void) {
  const sockets: Socket[] = [];
  const asked: { target: string; authorization: string | undefined }[] = [];
  const server = createServer().on('connect', ({ url, headers }, socket) => {
    asked.push({ target: url!, authorization: headers['proxy-authorization'] });
    // Else it is not noticed that the other side has left.
    socket.resume();
    connects(socket as Socket, url!);
  });
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Whether nobody is connected any more. */
  const isLeft = () => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded);
  return { url: `http://ana:s%40cret@127.0.0.1:${port}`, isLeft, asked };
}

const accepted = 'HTTP/1.1 200 Connected\r\n\r\n';

test('through a proxy, which resolves names; addresses are checked all the same', async () => {
  const proxy = await startProxy((socket) => {
    const there = connect(stranger.port, '127.0.0.1', () => socket.write(accepted));
    there.on('error', () => {});
    socket.pipe(there).pipe(socket);
  });
  const through = { proxy: proxy.url };
  expect((await read(leadsTo('/photo.png'), through)).content).toEqual(photo);
  expect(stranger.resolved).toEqual([]);
  const target = `${strangerHost}:${stranger.port}`;
  const authorization = `Basic ${Buffer.from('ana:s@cret').toString('base64')}`;
  expect(proxy.asked).toEqual([
    { target, authorization },
    { target, authorization },
  ]);
  expect(stranger.requests.some(({ headers }) => headers['proxy-authorization'] !== undefined)).toBe(false);
  for (const [address, why] of hostileAddresses) {
    const strict = { ...through, ports: [443], isPublic: undefined };
    expect(`${address} ${await failure(address, strict)}`).toBe(`${address} ${why}`);
  }
  expect(proxy.asked).toHaveLength(2);
  expect(await failure(`https://${otherHost}:${stranger.port}/`, through)).toBe('certificate');
});

test('a proxy that refuses, closes, says nothing, or falls silent later is asked once, and left', async () => {
  const answers: [string, (socket: Socket) => void][] = [
    ['unreachable', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
    ['unreachable', (socket) => socket.end('HTTP/1.1 407 Who are you\r\nContent-Length: 2\r\n\r\nno')],
    ['unreachable', (socket) => socket.destroy()],
    ['unreachable', (socket) => socket.end(accepted)],
    ['timeout', () => {}],
    ['timeout', (socket) => socket.write(accepted)],
  ];
  for (const [why, connects] of answers) {
    const proxy = await startProxy(connects);
    const rules = { proxy: proxy.url, silentSeconds: limitMs(150) / 1_000 };
    expect(await failure(stranger.url('/photo.png'), rules)).toBe(why);
    expect(proxy.asked).toHaveLength(1);
    await expect.poll(proxy.isLeft).toBe(true);
    const short = { proxy: proxy.url, seconds: limitMs(150) / 1_000 };
    expect(await failure(stranger.url('/photo.png'), short)).toBe(why);
    await expect.poll(proxy.isLeft).toBe(true);
  }
  expect(stranger.requests).toEqual([]);
});

const sendTo = (address: string, rules?: Partial<OutboundRules>) =>
  stranger
    .outbound(rules)
    .post(address, { headers: { 'x-a': 'b' }, body: '{"ä":1}', mostBytes: 100 })
    .then(
      ({ status, body }) => `${status} ${body}`,
      (error: OutboundError) => error.failure,
    );

test('what is sent: hostile addresses are refused in the same way, before anything is resolved or called', async () => {
  const strict = { ports: [443], isPublic: undefined };
  for (const [address, why] of hostileAddresses) {
    expect(`${address} ${await sendTo(address, strict)}`).toBe(`${address} ${why}`);
  }
  // A webhook of this machine needs the setting, which allows nothing else.
  expect(await sendTo(`http://127.0.0.1:${stranger.port}/`)).toBe('invalid');
  const others = [
    'http://10.0.0.1/',
    'http://metadata.google.internal/',
    'http://127.0.0.2/',
    'http://[::ffff:1]/',
  ];
  for (const address of others) {
    expect([address, await sendTo(address, { toLoopback: true })]).toEqual([address, 'invalid']);
  }
  expect([stranger.resolved, stranger.requests]).toEqual([[], []]);
});

test('what is sent: the address that the name has at the connection decides, and a redirect is a reply', async () => {
  const others = stranger.openConnections();
  for (const address of privateAddresses.filter((each) => each !== '127.0.0.1')) {
    // Public when the webhook was made, private when it is called.
    stranger.answers.set(strangerHost, [['127.0.0.1'], [address]]);
    expect(await sendTo(stranger.url('/photo.png'))).toMatch(/^200 /);
    expect(`${address} ${await sendTo(stranger.url('/photo.png'))}`).toBe(`${address} not-public`);
  }
  stranger.answers.set(strangerHost, [['127.0.0.1']]);
  stranger.requests.length = 0;
  expect(await sendTo(leadsTo('https://169.254.169.254/latest/meta-data'))).toBe('302 ');
  expect(await sendTo(leadsTo(stranger.url('/photo.png'), 307))).toBe('307 ');
  expect(stranger.requests).toMatchObject([
    { headers: { 'x-a': 'b', 'content-length': '8', 'accept-encoding': 'identity' } },
    {},
  ]);
  expect(await sendTo(stranger.url('/endless'))).toBe(`200 ${'a'.repeat(100)}`);
  const brief = { seconds: 1, silentSeconds: 1 };
  expect(await sendTo(stranger.url('/no-reply'), brief)).toBe('timeout');
  expect(await sendTo(stranger.url('/silent'), brief)).toBe('timeout');
  expect(await sendTo(stranger.url('/broken'))).toBe('unreachable');
  await expect.poll(stranger.openConnections).toBeLessThanOrEqual(others);
});
