/** A process that a test kills: it hangs with the lock, in a migration that it has done and not recorded. */
import { connectDb } from '#shared/data/connect.ts';
import { firstRelease } from '#shared/data/migrations/0001-first-release.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import type { Migration } from '#shared/data/migrations/migration.ts';

const [mongodbUrl, leaseMs] = process.argv.slice(2);
const hanging: Migration = {
  name: firstRelease.name,
  async up(database) {
    await firstRelease.up(database);
    process.send!('hangs');
    // The connection alone keeps no process alive.
    await new Promise<never>(() => setInterval(() => {}, 60_000));
  },
};
const db = await connectDb(mongodbUrl!);
await migrate(db, { info() {} }, { migrations: [hanging], leaseMs: Number(leaseMs) });
