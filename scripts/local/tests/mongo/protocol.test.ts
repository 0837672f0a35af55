import { once } from 'node:events';
import { BSON, type Document } from 'mongodb';
import { expect } from 'vitest';
import { int32, testWithConnection as it, message, query, REQUEST_ID, section } from './wire.ts';

function sequence(name: string, documents: Document[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => BSON.serialize(document)),
  ]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}

it('answers a hello sent as OP_QUERY', async ({ connection }) => {
  connection.socket.write(query({ ismaster: 1, helloOk: true }));
  const reply = await connection.next();
  expect(reply.readInt32LE(8)).toBe(REQUEST_ID);
  expect(reply.readInt32LE(12)).toBe(1);
  expect(BSON.deserialize(reply.subarray(36))).toMatchObject({ ismaster: true, ok: 1, helloOk: true });
});

it('accepts document sequences, sections in any order, and a checksum', async ({ db, connection }) => {
  connection.socket.write(
    message(
      2013,
      int32(0),
      sequence('documents', [{ _id: 1 }, { _id: 2 }]),
      section({ insert: 'things', $db: db.databaseName }),
    ),
  );
  const reply = await connection.next();
  expect(reply.readInt32LE(12)).toBe(2013);
  expect(BSON.deserialize(reply.subarray(21))).toMatchObject({ n: 2, ok: 1 });
});

it('sends no reply to moreToCome, and replies to the next message', async ({ db, connection }) => {
  connection.socket.write(
    Buffer.concat([
      message(
        2013,
        int32(2),
        section({ insert: 'silent', documents: [{ _id: 5 }], $db: db.databaseName, writeConcern: { w: 0 } }),
      ),
      message(2013, int32(0), section({ distinct: 'silent', key: '_id', $db: db.databaseName })),
    ]),
  );
  const reply = await connection.next();
  expect(BSON.deserialize(reply.subarray(21))).toMatchObject({ values: [5] });
});

it('reads a message that arrives byte by byte', async ({ connection }) => {
  for (const byte of message(2013, int32(0), section({ ping: 1, $db: 'admin' })))
    connection.socket.write(Buffer.from([byte]));
  expect(BSON.deserialize((await connection.next()).subarray(21))).toMatchObject({ ok: 1 });
});

it('sends `ok` as a double', async ({ connection }) => {
  connection.socket.write(message(2013, int32(0), section({ ping: 1, $db: 'admin' })));
  const reply = await connection.next();
  expect(reply[21 + 4]).toBe(1);
});

it.for<[name: string, bytes: Buffer]>([
  ['a length no message has', Buffer.concat([int32(5), Buffer.alloc(20)])],
  ['an operation that does not exist', message(4242, int32(0))],
  ['a section of an unknown kind', message(2013, int32(0), Buffer.from([9, 5, 0, 0, 0, 0]))],
  [
    'a document longer than its message',
    message(2013, int32(0), Buffer.from([0]), int32(4000), Buffer.alloc(8)),
  ],
  ['no body', message(2013, int32(0))],
])('closes the connection on %s, and serves other connections', async ([, bytes], { target, connection }) => {
  const closed = once(connection.socket, 'close');
  connection.socket.on('error', () => undefined);
  connection.socket.write(bytes);
  await closed;
  expect(await target.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
});
