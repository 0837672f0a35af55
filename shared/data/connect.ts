import mongoose from 'mongoose';
import { StoreFailure } from '#shared/platform/store-failure.ts';
import { collectionsApart, connectionOf, createDb, sandboxOf } from './collection.ts';
import { modelsOf } from './collections.ts';
import type { Db } from './db.ts';
import { type MigrationLog, migrate } from './migrations/migrate.ts';

/** The oldest MongoDB that has what the indexes need: `$in` in the filter of a partial one. */
const oldestMajor = 6;

/**
 * Connects to MongoDB and changes nothing there. Server and worker use {@link openDb}, which also migrates the database.
 * @throws StoreFailure when no server takes statements within 30 s, it refuses the user, or is older than MongoDB 6.0
 */
export async function connectDb(
  mongodbUrl: string,
  options: Pick<mongoose.ConnectOptions, 'serverSelectionTimeoutMS'> = {},
): Promise<Db> {
  const connection = await mongoose
    .createConnection(mongodbUrl, {
      ...options,
      // `serverSelectionTimeoutMS` is left to the URL. Without one the driver waits 30 s for a server: longer than the election
      // of a primary (docs/failures.md), and shorter than the minute that proxies wait for an answer.
      writeConcern: { w: 'majority' },
      // Migrations create collections' indexes (decision 64).
      autoIndex: false,
      autoCreate: false,
      maxPoolSize: 50,
    })
    .asPromise()
    .catch((error) => {
      throw new StoreFailure('MONGODB_URL', error);
    });
  await checkServer(connection);
  const db = createDb(connection);
  // The indexes of all collections are compared, also of those that no statement has used yet.
  modelsOf(db);
  for (const collection of collectionsApart()) collection(sandboxOf(db));
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

/** @throws StoreFailure when the server is too old, or asks for a password that the URL does not have */
async function checkServer(connection: mongoose.Connection): Promise<void> {
  try {
    const { version } = await connection.db!.command({ buildInfo: 1 });
    if (Number.parseInt(version, 10) < oldestMajor) {
      throw new Error(`MongoDB ${version} is older than ${oldestMajor}.0`);
    }
    // `buildInfo` needs no password.
    await connection.db!.listCollections({}, { nameOnly: true }).hasNext();
  } catch (error) {
    await connection.close();
    throw new StoreFailure('MONGODB_URL', error);
  }
}

/** Sends a ping to the database. @throws when it does not answer */
export async function ping(db: Db): Promise<void> {
  await connectionOf(db).db!.command({ ping: 1 });
}
