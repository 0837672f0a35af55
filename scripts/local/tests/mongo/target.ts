import { MongoClient } from 'mongodb';
import { startMongoServer } from '../../mongo/server.ts';

/** The server under test. */
export interface Target {
  url: string;
  client: MongoClient;
  /** Whether it is the local server (otherwise the one in MONGODB_URL). */
  own: boolean;
  close(): Promise<void>;
}

/** The MongoDB in MONGODB_URL, if any; it allows running the suite against a real one. */
export const givenUrl = process.env.MONGODB_URL;

/** Connects to the MongoDB in MONGODB_URL, or starts the local one for the duration of a test file. */
export async function openTarget(): Promise<Target> {
  const server = givenUrl ? undefined : await startMongoServer({ port: 0, ttlIntervalMs: 100 });
  const url = givenUrl ?? server!.url;
  const client = await new MongoClient(url).connect();
  return {
    url,
    client,
    own: !givenUrl,
    close: async () => {
      await client.close();
      await server?.close();
    },
  };
}

/** A database name that no other test file uses. */
export function databaseName(file: string): string {
  return `contract_${file}_${process.pid}`;
}
