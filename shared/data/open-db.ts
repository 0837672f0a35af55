import { connectDb, createIndexes } from './connect.ts';
import type { Db } from './db.ts';
import { type MigrationLog, migrate } from './migrations/migrate.ts';

/**
 * Connects to MongoDB for server or worker: migrates the database, then creates missing indexes.
 * @throws when the server does not answer within five seconds, or when a migration fails
 */
export async function openDb(mongodbUrl: string, log: MigrationLog): Promise<Db> {
  const db = await connectDb(mongodbUrl);
  try {
    await migrate(db, log);
    // After the migrations: a unique index may be on a field that a migration writes.
    await createIndexes(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
