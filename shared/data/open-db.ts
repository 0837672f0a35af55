import { connectDb, createIndexes } from './connect.ts';
import type { Db } from './db.ts';
import { type MigrationLog, migrate } from './migrations/migrate.ts';

/**
 * Connects to MongoDB for a program that serves: migrates the database and creates missing indexes first.
 * @throws when the server does not answer within five seconds, or when a migration fails
 */
export async function openDb(mongodbUrl: string, log: MigrationLog): Promise<Db> {
  const db = await connectDb(mongodbUrl);
  try {
    await migrate(db, log);
    // Afterwards, since a unique index may be over what a migration writes.
    await createIndexes(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
