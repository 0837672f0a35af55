import { connectDb } from './connect.ts';
import type { Db } from './db.ts';
import { type MigrationLog, migrate } from './migrations/migrate.ts';

/**
 * Connects to MongoDB for server or worker, and migrates the database, its indexes included.
 * @throws when the server does not answer within five seconds, or when a migration fails
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
