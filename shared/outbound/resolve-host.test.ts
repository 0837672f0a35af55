import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { resolveHost } from './resolve-host.ts';

const [typeA, typeAAAA, noName, refused] = [1, 28, 3, 5];

/**
 * A name server on this machine. @param answer the address for a type of record, a code of an error, or undefined for silence
 * @returns its address
 */
async function nameServer(
  answer: (type: number) => Uint8Array | number | undefined,
): Promise<{ server: string; questions: number[] }> {
  const socket = createSocket('udp4');
  const questions: number[] = [];
  socket.on('message', (query, { port, address }) => {
    // After the header: labels up to an empty one, type, class.
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    questions.push(type);
    const given = answer(type);
    if (given === undefined) return;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof given === 'number' ? given : 0), 2);
    head.writeUInt16BE(typeof given === 'number' ? 0 : 1, 6);
    // No further records, such as the options of the query.
    head.writeUInt16BE(0, 10);
    const record = (data: Uint8Array) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
    const records = typeof given === 'number' ? [] : [record(given)];
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, questions };
}

const never = new AbortController().signal;
const inIPv6 = Uint8Array.from([0x26, 6, 0x47, ...Array<number>(12).fill(0), 1]);

test('all addresses of a host, of both kinds, IPv4 first', async () => {
  const { server, questions } = await nameServer((type) =>
    type === typeA ? Uint8Array.from([8, 8, 4, 4]) : inIPv6,
  );
  expect(await resolveHost('photos.shop.example', never, [server])).toEqual(['8.8.4.4', '2606:4700::1']);
  expect(questions.toSorted((one, other) => one - other)).toEqual([typeA, typeAAAA]);
});

test('a host with addresses of one kind only, and one whose other question fails', async () => {
  for (const other of [noName, refused]) {
    const { server } = await nameServer((type) => (type === typeA ? Uint8Array.from([8, 8, 4, 4]) : other));
    expect(await resolveHost('photos.shop.example', never, [server])).toEqual(['8.8.4.4']);
  }
});

test('a name that does not exist; name servers that refuse to answer', async () => {
  const unknown = await nameServer(() => noName);
  await expect(resolveHost('photos.shop.example', never, [unknown.server])).rejects.toMatchObject({
    failure: 'not-public',
  });
  const away = await nameServer(() => refused);
  await expect(resolveHost('photos.shop.example', never, [away.server])).rejects.toMatchObject({
    failure: 'unreachable',
  });
});

test('a name server that is silent is waited for until the signal', async () => {
  const ended = new AbortController();
  const { server, questions } = await nameServer((type) => {
    if (type === typeAAAA) ended.abort();
    return undefined;
  });
  await expect(resolveHost('photos.shop.example', ended.signal, [server])).rejects.toMatchObject({
    failure: 'unreachable',
    cause: { code: 'ECANCELLED' },
  });
  expect(questions).toContain(typeAAAA);
});

test('localhost is not looked up in the files of this machine', async () => {
  const { server } = await nameServer(() => noName);
  await expect(resolveHost('localhost', never, [server])).rejects.toMatchObject({ failure: 'not-public' });
});
