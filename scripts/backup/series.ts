/** A folder of backups, each in a folder of its own that is named by its time, of which the newest ones are kept. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarkedStorage } from '#scripts/storage-copy/copy.ts';
import type { Db } from '#shared/data/db.ts';
import { DumpRefused } from '#shared/data/dump.ts';
import { withLock } from '#shared/data/locks.ts';
import { expectBackups, expectNoBackups, saveBackupResult } from '#shared/data/operator/backup-results.ts';
import { backUp } from './backup.ts';
import type { Manifest } from './manifest.ts';

export interface Series {
  /** The folder of all of them. */
  folder: string;
  /** How many are kept. */
  keep: number;
  /** The hours between two of them, for the alert about those that are missing; undefined without a schedule. */
  everyHours: number | undefined;
}

/** How long the lock stays taken after a crash, in ms: a second one at the same time is refused. */
const leaseMs = 30_000;

/** What is not complete, or is being removed. */
const unfinished = 'unfinished-';

/**
 * Adds a backup to a series: it is complete or not there. Then removes the oldest ones. What failed is recorded, for the
 * alert.
 * @param storage null to leave it out
 * @throws DumpRefused, also when another backup of the database is being made; CopyRefused, StorageError
 */
export async function addBackup(
  db: Db,
  storage: MarkedStorage | null,
  { folder, keep, everyHours }: Series,
  say: (line: string) => void,
): Promise<Manifest> {
  if (everyHours === undefined) await expectNoBackups(db);
  else await expectBackups(db, everyHours);
  const refuse = () => {
    throw new DumpRefused('another backup is being made, or was ended less than a minute ago');
  };
  return withLock(db, 'backup', { leaseMs, onWait: refuse }, async (lock) => {
    try {
      await removeUnfinished(folder);
      const before = await listBackups(folder);
      const name = nameOf(new Date());
      const path = join(folder, `${unfinished}${name}`);
      const previous = before.at(-1);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const manifest = await backUp(db, storage, path, say, previous && join(folder, previous));
      await lock.assertHeld();
      await rename(path, join(folder, name));
      say(`${join(folder, name)} is complete`);
      for (const old of [...before, name].slice(0, -keep)) {
        // One that is half removed must not look complete.
        await rename(join(folder, old), join(folder, unfinished + old));
        say(`${join(folder, old)} is removed`);
      }
      await removeUnfinished(folder);
      await saveBackupResult(db, null);
      return manifest;
    } catch (error) {
      // The first error counts: if the database is away, the age of the last backup tells it.
      await saveBackupResult(db, (error as Error).message).catch(() => {});
      throw error;
    }
  });
}

/** @returns the names of the complete backups in a folder, the oldest first */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  return names.filter((name) => timeOf(name) !== undefined).sort();
}

/** @returns when the next backup of a series is due: at once if there is none */
export async function nextBackupAt({ folder, everyHours = 0 }: Series): Promise<Date> {
  const last = (await listBackups(folder)).at(-1);
  return new Date(last === undefined ? 0 : timeOf(last)!.getTime() + everyHours * 3_600_000);
}

const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.startsWith(unfinished)) await rm(join(folder, name), { recursive: true });
  }
}

/** `2026-11-28T10-30-00Z`: without colons, which some file systems refuse. */
const nameOf = (time: Date) => `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

function timeOf(name: string): Date | undefined {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(name) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}
