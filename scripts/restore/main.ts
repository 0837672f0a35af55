/**
 * `npm run restore -- FROM`: restores what `npm run backup` has written into the empty database of MONGODB_URL and the empty
 * storage of STORAGE_URL, or into those of `npm start`.
 */
import { resolve } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { restore } from './restore.ts';

const {
  words: [folder],
} = readCommandLine('restore', {
  about: 'Restores what `npm run backup` has written into an empty database and an empty storage.',
  words: 'FROM',
});

const say = (line: string) => console.log(`restore: ${line}`);
await runOnDatabase('restore', async (db) => {
  const { version, at } = await restore(db, await openCommandStorage(), resolve(folder!), say);
  say(
    `complete: the backup of ${at}, version ${version}. Start Packshot, then run npm run audit -- --contents`,
  );
});
