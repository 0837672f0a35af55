import { MongoClient } from 'mongodb';
import { startMongoServer } from '../../mongo/server.ts';

/** The server that the contract suite speaks to. */
export interface Target {
  url: string;
  client: MongoClient;
  /** Whether it is the repository's own server (else the one that MONGODB_URL names). */
  own: boolean;
  close(): Promise<void>;
}

/**
 * The MongoDB that MONGODB_URL names, if any: the suite is pointed at a real one this way.
 * The one place outside shared/config.ts that reads the environment.
 */
export const givenUrl = process.env.MONGODB_URL;

/**
 * Connects to the MongoDB that MONGODB_URL names, or starts the local one for the length of a test file. */
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
