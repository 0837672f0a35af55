/**
 * `npm run backup -- TO`: writes the database of MONGODB_URL and the storage of STORAGE_URL into a new folder, or those of
 * `npm start`. `--without-storage` leaves the storage out, for buckets that keep versions.
 */
import { resolve } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { megabytes } from '#scripts/storage-copy/copy.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { backUp } from './backup.ts';

const {
  values,
  words: [folder],
} = readCommandLine('backup', {
  about: 'Writes the database and the storage into a new folder.',
  words: 'TO',
  options: { 'without-storage': { about: 'leaves the storage out, for buckets that keep versions' } },
});

const say = (line: string) => console.log(`backup: ${line}`);
await runOnDatabase('backup', async (db) => {
  await assertMigrated(db);
  const storage = values['without-storage'] ? null : await openCommandStorage(db);
  const { storage: stored } = await backUp(db, storage, resolve(folder!), say);
  say(
    stored ? `${stored.files} files, ${megabytes(stored.bytes)}; complete` : 'complete, without the storage',
  );
});
