/** A program for tests to kill: it holds the migration lock and has begun a migration. */
import { connectDb } from '#shared/data/connect.ts';
import { baseline } from '#shared/data/migrations/0001-baseline.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import type { Migration } from '#shared/data/migrations/migration.ts';

const [mongodbUrl] = process.argv.slice(2);
const hanging: Migration = {
  name: baseline.name,
  async up() {
    process.send!('hangs');
    // The database connection alone does not keep the process alive.
    await new Promise<never>(() => setInterval(() => {}, 60_000));
  },
};
const db = await connectDb(mongodbUrl!);
// The lock stays taken until the test ends its lease.
await migrate(db, { info() {} }, { migrations: [hanging], leaseMs: 3_600_000 });
