/**
 * `npm run backup -- TO`: writes the database of MONGODB_URL and the storage of STORAGE_URL into a new folder, or those of
 * `npm start`. `--without-storage` leaves the storage out, for buckets that keep versions. With `--keep`, TO is a folder of
 * several backups; with `--every` and `--repeat` they are made until the process is ended.
 */
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { megabytes } from '#scripts/storage-copy/copy.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { backUp } from './backup.ts';
import { addBackup, nextBackupAt, type Series } from './series.ts';

const { values, words } = readCommandLine('backup', {
  about: 'Writes the database and the storage into a new folder.',
  words: 'TO',
  options: {
    'without-storage': { about: 'leaves the storage out, for buckets that keep versions' },
    keep: { takes: 'COUNT', about: 'makes a folder in TO for each backup, and keeps this many of them' },
    every: {
      takes: 'COUNT',
      about: 'with --keep: the hours between two backups; an alert begins when they fail or stop',
    },
    repeat: { about: 'with --every: makes one when it is due, until the process is ended' },
  },
});
const folder = resolve(words[0]!);
const { keep, every: everyHours, repeat } = values;
if (everyHours !== undefined && keep === undefined) refuse('backup', '--every needs --keep');
if (repeat && everyHours === undefined) refuse('backup', '--repeat needs --every');
const series: Series | undefined = keep === undefined ? undefined : { folder, keep, everyHours };

const say = (line: string) => console.log(`backup: ${line}`);

/** When one that failed is tried again, and how often it is looked whether one is due, in ms. */
const [againMs, lookMs] = [15 * 60_000, 60_000];

if (series && repeat) await makeThemWhenDue(series);
else await makeOne();

async function makeThemWhenDue(made: Series): Promise<never> {
  for (;;) {
    if (Date.now() >= (await nextBackupAt(made)).getTime() && !(await makeOne())) await wait(againMs);
    await wait(lookMs);
  }
}

/** @returns whether it is complete */
async function makeOne(): Promise<boolean> {
  let complete = false;
  await runOnDatabase('backup', async (db) => {
    await assertMigrated(db);
    const storage = values['without-storage'] ? null : await openCommandStorage(db);
    const { storage: stored } = await (series
      ? addBackup(db, storage, series, say)
      : backUp(db, storage, folder, say));
    say(
      stored
        ? `${stored.files} files, ${megabytes(stored.bytes)}; complete`
        : 'complete, without the storage',
    );
    complete = true;
  });
  return complete;
}
