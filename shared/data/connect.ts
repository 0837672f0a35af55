import mongoose from 'mongoose';
import { connectionOf, createDb } from './collection.ts';
import { modelsOf } from './collections.ts';
import type { Db } from './db.ts';
import { type MigrationLog, migrate } from './migrations/migrate.ts';

/** The oldest MongoDB that has what the indexes need: `$in` in the filter of a partial one. */
const oldestMajor = 6;

/**
 * Connects to MongoDB and changes nothing there. Server and worker use {@link openDb}, which also migrates the database.
 * @throws when no server takes statements within 30 s, or when it is older than MongoDB 6.0
 */
export async function connectDb(mongodbUrl: string): Promise<Db> {
  const connection = await mongoose
    .createConnection(mongodbUrl, {
      // `serverSelectionTimeoutMS` is left to the URL. Without one the driver waits 30 s for a server: longer than the election
      // of a primary (docs/failures.md), and shorter than the minute that proxies wait for an answer.
      writeConcern: { w: 'majority' },
      // Migrations create collections' indexes (decision 64).
      autoIndex: false,
      autoCreate: false,
      maxPoolSize: 50,
    })
    .asPromise();
  const db = createDb(connection);
  try {
    await assertRecent(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  // The indexes of all collections are compared, also of those that no statement has used yet.
  modelsOf(db);
  return db;
}

/**
 * Connects to MongoDB for server or worker, and migrates the database, its indexes included.
 * @throws as {@link connectDb}, or when a migration fails
 */
export async function openDb(mongodbUrl: string, log: MigrationLog): Promise<Db> {
  const db = await connectDb(mongodbUrl);
  try {
    await migrate(db, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** @throws when the server is too old for the indexes: their error would come in the middle of a migration, and not say so */
async function assertRecent(db: Db): Promise<void> {
  const { version } = (await connectionOf(db).db!.command({ buildInfo: 1 })) as { version: string };
  if (Number.parseInt(version, 10) >= oldestMajor) return;
  throw new Error(`MONGODB_URL leads to MongoDB ${version}: Packshot needs ${oldestMajor}.0 or later`);
}

/** Sends a ping to the database. @throws when it does not answer */
export async function ping(db: Db): Promise<void> {
  await connectionOf(db).db!.command({ ping: 1 });
}
