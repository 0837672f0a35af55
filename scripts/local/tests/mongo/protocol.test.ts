import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { databaseName, openTarget, type Target } from './target.ts';

let target: Target;
let socket: Socket;

beforeAll(async () => {
  target = await openTarget();
});
beforeEach(async () => {
  const { hostname, port } = new URL(target.url);
  socket = connect(Number(port || 27017), hostname);
  await once(socket, 'connect');
});
afterAll(async () => {
  await target.client.db(databaseName('protocol')).dropDatabase();
  await target.close();
});

/** A message: its header, then the content for its operation. */
function message(operation: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + body.length, 0);
  head.writeInt32LE(77, 4);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

const section = (document: Document) => Buffer.concat([Buffer.from([0]), BSON.serialize(document)]);

function sequence(name: string, documents: Document[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => BSON.serialize(document)),
  ]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}

/** The next complete message from the server. */
async function nextMessage(): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 4 || bytes.length < bytes.readInt32LE(0)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  return bytes;
}

it('answers a hello sent as OP_QUERY', async () => {
  socket.write(
    message(
      2004,
      int32(0),
      Buffer.from('admin.$cmd\0'),
      int32(0),
      int32(-1),
      BSON.serialize({ ismaster: 1, helloOk: true }),
    ),
  );
  const reply = await nextMessage();
  expect(reply.readInt32LE(8)).toBe(77);
  expect(reply.readInt32LE(12)).toBe(1);
  expect(BSON.deserialize(reply.subarray(36))).toMatchObject({ ismaster: true, ok: 1, helloOk: true });
});

it('accepts document sequences, sections in any order, and a checksum', async () => {
  const database = databaseName('protocol');
  socket.write(
    message(
      2013,
      int32(0),
      sequence('documents', [{ _id: 1 }, { _id: 2 }]),
      section({ insert: 'things', $db: database }),
    ),
  );
  const reply = await nextMessage();
  expect(reply.readInt32LE(12)).toBe(2013);
  expect(BSON.deserialize(reply.subarray(21))).toMatchObject({ n: 2, ok: 1 });
});

it('sends no reply to moreToCome, and replies to the next message', async () => {
  const database = databaseName('protocol');
  socket.write(
    Buffer.concat([
      message(
        2013,
        int32(2),
        section({ insert: 'silent', documents: [{ _id: 5 }], $db: database, writeConcern: { w: 0 } }),
      ),
      message(2013, int32(0), section({ count: 'silent', $db: database })),
    ]),
  );
  const reply = await nextMessage();
  expect(BSON.deserialize(reply.subarray(21))).toMatchObject({ n: 1 });
});

it('reads a message that arrives byte by byte', async () => {
  for (const byte of message(2013, int32(0), section({ ping: 1, $db: 'admin' })))
    socket.write(Buffer.from([byte]));
  expect(BSON.deserialize((await nextMessage()).subarray(21))).toMatchObject({ ok: 1 });
});

it('sends `ok` as a double', async () => {
  socket.write(message(2013, int32(0), section({ ping: 1, $db: 'admin' })));
  const reply = await nextMessage();
  expect(reply[21 + 4]).toBe(1);
});

it.each([
  ['a length no message has', Buffer.concat([int32(5), Buffer.alloc(20)])],
  ['an operation that does not exist', message(4242, int32(0))],
  ['a section of an unknown kind', message(2013, int32(0), Buffer.from([9, 5, 0, 0, 0, 0]))],
  [
    'a document longer than its message',
    message(2013, int32(0), Buffer.from([0]), int32(4000), Buffer.alloc(8)),
  ],
  ['no body', message(2013, int32(0))],
])('closes the connection on %s, and serves other connections', async (_name, bytes) => {
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.write(bytes);
  await closed;
  expect(await target.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
});
