import { once } from 'node:events';
import { BSON, type Document, Long, MongoClient, ObjectId } from 'mongodb';
import { describe, expect } from 'vitest';
import { startMongoServer } from '../../mongo/server.ts';
import {
  int32,
  testWithConnection as it,
  message,
  query,
  RawConnection,
  REQUEST_ID,
  section,
} from './wire.ts';

const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 1 << 16;

interface Received {
  id: number;
  responseTo: number;
  flags: number;
  body: Document;
  /** When the reply was read, in milliseconds of `performance.now()`. */
  at: number;
}

function send(connection: RawConnection, command: Document, flags = 0): void {
  connection.socket.write(message(2013, int32(flags), section({ ...command, $db: 'admin' })));
}

async function receive(connection: RawConnection): Promise<Received> {
  const bytes = await connection.next();
  return {
    id: bytes.readInt32LE(4),
    responseTo: bytes.readInt32LE(8),
    flags: bytes.readUInt32LE(16),
    body: BSON.deserialize(bytes.subarray(21), { promoteLongs: false }),
    at: performance.now(),
  };
}

async function currentVersion(connection: RawConnection): Promise<{ processId: ObjectId; counter: Long }> {
  send(connection, { hello: 1 });
  return (await receive(connection)).body.topologyVersion;
}

const otherProcess = () => ({ processId: new ObjectId(), counter: Long.ZERO });

/** What a timer may be early by: Node rounds down to milliseconds. */
const TOLERANCE_MS = 1;

describe('topologyVersion', () => {
  it.for(['hello', 'isMaster', 'ismaster'])('is in the reply to %s', async (name, { connection }) => {
    const version = await currentVersion(connection);
    expect(version).toEqual({ processId: expect.any(ObjectId), counter: expect.any(Long) });
    send(connection, { [name]: 1 });
    expect((await receive(connection)).body.topologyVersion).toEqual(version);
    connection.socket.write(query({ [name]: 1 }));
    const legacy = BSON.deserialize((await connection.next()).subarray(36), { promoteLongs: false });
    expect(legacy.topologyVersion).toEqual(version);
  });

  it('differs between servers', async ({ connection }) => {
    const { processId } = await currentVersion(connection);
    const other = await startMongoServer({ port: 0 });
    const client = await new MongoClient(other.url).connect();
    const reply = await client.db('admin').command({ hello: 1 });
    expect(reply.topologyVersion.processId).not.toEqual(processId);
    await client.close();
    await other.close();
  });
});

describe('hello with maxAwaitTimeMS', () => {
  it('is answered after that time, once', async ({ connection }) => {
    const topologyVersion = await currentVersion(connection);
    for (const maxAwaitTimeMS of [50, 10]) {
      const sentAt = performance.now();
      send(connection, { hello: 1, topologyVersion, maxAwaitTimeMS });
      const reply = await receive(connection);
      expect(reply.at - sentAt).toBeGreaterThanOrEqual(maxAwaitTimeMS - TOLERANCE_MS);
      expect(reply).toMatchObject({ responseTo: REQUEST_ID, flags: 0 });
      expect(reply.body).toMatchObject({ isWritablePrimary: true, topologyVersion });
    }
  });

  it('is answered at once when the topologyVersion is from another process', async ({ connection }) => {
    const topologyVersion = await currentVersion(connection);
    send(connection, { hello: 1, topologyVersion: otherProcess(), maxAwaitTimeMS: 600_000 });
    expect((await receive(connection)).body).toMatchObject({ isWritablePrimary: true, topologyVersion });
  });

  it.for<[string, (current: Document) => Document, number, string]>([
    [
      'no topologyVersion',
      () => ({ maxAwaitTimeMS: 10 }),
      31368,
      "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'",
    ],
    [
      'a topologyVersion and no maxAwaitTimeMS',
      (topologyVersion) => ({ topologyVersion }),
      31368,
      "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'",
    ],
    [
      'a negative counter',
      (current) => ({ topologyVersion: { ...current, counter: Long.NEG_ONE }, maxAwaitTimeMS: 10 }),
      31372,
      'topologyVersion must have a non-negative counter',
    ],
    [
      "a counter above the server's",
      (current) => ({ topologyVersion: { ...current, counter: Long.fromNumber(9) }, maxAwaitTimeMS: 10 }),
      51764,
      'greater than the server topology version counter',
    ],
    [
      'a negative maxAwaitTimeMS',
      (topologyVersion) => ({ topologyVersion, maxAwaitTimeMS: -1 }),
      51024,
      "BSON field 'maxAwaitTimeMS' value must be >= 0, actual value '-1'",
    ],
    ['a maxAwaitTimeMS that is a string', () => ({ maxAwaitTimeMS: 'long' }), 14, 'maxAwaitTimeMS'],
    [
      'a topologyVersion that is a number',
      () => ({ topologyVersion: 1, maxAwaitTimeMS: 10 }),
      14,
      'topologyVersion',
    ],
    [
      'a topologyVersion without processId',
      () => ({ topologyVersion: { counter: Long.ZERO }, maxAwaitTimeMS: 10 }),
      40414,
      'processId',
    ],
    [
      'a topologyVersion without counter',
      () => ({ topologyVersion: { processId: new ObjectId() }, maxAwaitTimeMS: 10 }),
      40414,
      'counter',
    ],
  ])('is rejected with %s', async ([, fields, code, text], { connection }) => {
    const current = await currentVersion(connection);
    send(connection, { hello: 1, ...fields(current) }, EXHAUST_ALLOWED);
    const { body, flags } = await receive(connection);
    expect(body).toMatchObject({ ok: 0, code, errmsg: expect.stringContaining(text) });
    expect(flags).toBe(0);
  });
});

describe('hello with exhaustAllowed', () => {
  it('is answered every maxAwaitTimeMS, each reply in response to the previous one', async ({
    connection,
  }) => {
    const topologyVersion = await currentVersion(connection);
    const sentAt = performance.now();
    send(connection, { hello: 1, topologyVersion, maxAwaitTimeMS: 20 }, EXHAUST_ALLOWED);
    let responseTo = REQUEST_ID;
    for (let n = 1; n <= 4; n++) {
      const reply = await receive(connection);
      expect(reply).toMatchObject({ responseTo, flags: MORE_TO_COME });
      expect(reply.body).toMatchObject({ isWritablePrimary: true, topologyVersion });
      expect(reply.at - sentAt).toBeGreaterThanOrEqual(n * (20 - TOLERANCE_MS));
      responseTo = reply.id;
    }
  });

  it('is answered at once when the topologyVersion is outdated, then after maxAwaitTimeMS', async ({
    connection,
  }) => {
    const sentAt = performance.now();
    send(connection, { hello: 1, topologyVersion: otherProcess(), maxAwaitTimeMS: 100 }, EXHAUST_ALLOWED);
    const first = await receive(connection);
    const second = await receive(connection);
    expect(first).toMatchObject({ responseTo: REQUEST_ID, flags: MORE_TO_COME });
    expect(second).toMatchObject({ responseTo: first.id, flags: MORE_TO_COME });
    expect(second.at - sentAt).toBeGreaterThanOrEqual(100 - TOLERANCE_MS);
    expect(first.body.localTime.getTime()).toBeLessThan(second.body.localTime.getTime());
  });

  it('is rejected without maxAwaitTimeMS', async ({ connection }) => {
    send(connection, { hello: 1 }, EXHAUST_ALLOWED);
    const { body, flags } = await receive(connection);
    expect(body).toMatchObject({ ok: 0, code: 51756 });
    expect(flags).toBe(0);
  });

  it('is answered once by a command that sends one reply', async ({ connection }) => {
    send(connection, { ping: 1 }, EXHAUST_ALLOWED);
    expect(await receive(connection)).toMatchObject({ responseTo: REQUEST_ID, flags: 0, body: { ok: 1 } });
  });
});

it('closes while a hello waits', async () => {
  const server = await startMongoServer({ port: 0 });
  const connection = await RawConnection.open(server.url);
  send(connection, { hello: 1, topologyVersion: otherProcess(), maxAwaitTimeMS: 600_000 }, EXHAUST_ALLOWED);
  await receive(connection);
  const closed = once(connection.socket, 'close');
  await server.close();
  await closed;
});
