/**
 * `npm run restore -- FROM`: restores what `npm run backup` has written into the empty database of MONGODB_URL and the empty
 * storage of STORAGE_URL, or into those of `npm start`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { restore } from './restore.ts';

const {
  values: { erased },
  words: [folder],
} = readCommandLine('restore', {
  about: 'Restores what `npm run backup` has written into an empty database and an empty storage.',
  words: 'FROM',
  options: {
    erased: {
      takes: 'FILE',
      about: 'ids of accounts that were deleted after the backup, one on each line: they are deleted again',
    },
  },
});

const say = (line: string) => console.log(`restore: ${line}`);
await runOnDatabase('restore', async (db) => {
  const ids = erased === undefined ? [] : readFileSync(resolve(erased), 'utf8').match(/\S+/g);
  const { version, at } = await restore(db, await openCommandStorage(), resolve(folder!), say, ids ?? []);
  say(
    `complete: the backup of ${at}, version ${version}. Start Packshot, then run npm run audit -- --contents`,
  );
});
