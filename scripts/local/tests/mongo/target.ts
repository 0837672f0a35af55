/** `test` with the MongoDB server under test, and a database and a collection of the file. */
import { randomUUID } from 'node:crypto';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { test as base } from 'vitest';
import { startMongoServer } from '../../mongo/server.ts';

/** The server under test. */
interface Target {
  url: string;
  client: MongoClient;
  /** Whether it is the local server (otherwise the one in MONGODB_URL). */
  own: boolean;
}

/** The MongoDB in MONGODB_URL, if any; it allows running the suite against a real one. */
export const givenUrl = process.env.MONGODB_URL;

/**
 * `test` with the fixtures `target` and `db`, both for all tests of the file: the MongoDB in MONGODB_URL or else the
 * local one, and a database that no other file uses.
 */
export const testWithTarget = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  .extend('target', { scope: 'file' }, async ({}, { onCleanup }): Promise<Target> => {
    const server = givenUrl ? undefined : await startMongoServer({ port: 0, ttlIntervalMs: 100 });
    const url = givenUrl ?? server!.url;
    const client = await new MongoClient(url).connect();
    onCleanup(async () => {
      await client.close();
      await server?.close();
    });
    return { url, client, own: !givenUrl };
  })
  .extend('db', { scope: 'file' }, ({ target }, { onCleanup }) => {
    const db = target.client.db(`contract_${randomUUID()}`);
    onCleanup(async () => {
      await db.dropDatabase();
    });
    return db;
  });

/**
 * Like `testWithTarget`, with the collection `things`, which contains these documents at the start of each test, even
 * of a test that does not use the fixture. `exact` is the same collection, read with the exact types of its numbers.
 */
export function testWithThings(documents: Document[] = []) {
  return testWithTarget
    .extend('things', { auto: true }, async ({ db }) => {
      const things = db.collection('things');
      await things.drop();
      if (documents.length > 0) await things.insertMany(documents);
      return things;
    })
    .extend('exact', ({ db }) => db.collection('things', { promoteValues: false }));
}

/** Like `testWithTarget`, with the collection `things`, which is filled once for all tests of the file. */
export function testWithSharedThings(documents: Document[]) {
  return testWithTarget.extend('things', { scope: 'file', auto: true }, async ({ db }) => {
    const things = db.collection('things');
    await things.insertMany(documents);
    return things;
  });
}

/** 250 documents for `testWithSharedThings`. */
export const manyDocuments: Document[] = Array.from({ length: 250 }, (_, n) => ({ _id: n, n, group: n % 3 }));

/** The documents of a collection, by their `_id`. */
export const allOf = (things: Collection) => things.find({}, { sort: { _id: 1 } }).toArray();
