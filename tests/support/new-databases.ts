import { randomUUID } from 'node:crypto';
import { connectionOf } from '#shared/data/collection.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';

/**
 * Empty databases of a server, for one test.
 * @param onCleanup has them removed
 * @returns opens another one
 */
export function newDatabases(
  mongodbUrl: string,
  onCleanup: (end: () => Promise<void>) => void,
): () => Promise<{ db: Db; url: string }> {
  const opened: Db[] = [];
  onCleanup(async () => {
    for (const db of opened) {
      await connectionOf(db).dropDatabase();
      await db.close();
    }
  });
  return async () => {
    const url = new URL(mongodbUrl);
    url.pathname = `/test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const db = await connectDb(url.href);
    opened.push(db);
    return { db, url: url.href };
  };
}
