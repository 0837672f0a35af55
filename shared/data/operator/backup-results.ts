import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { removeRow } from '../remove-row.ts';
import { date, nullableDate, nullableText, number, type Row, rowOptions } from '../row.ts';

const backupResult = {
  _id: { type: String, enum: ['last'] as const, required: true },
  /** When backups were first made on a schedule, and how far apart they are. */
  expected_since: date,
  every_hours: number,
  /** When the last complete one ended; null before the first. */
  ended_at: nullableDate,
  /** Why the last one failed; null if it did not. */
  failure: nullableText,
};

/** The backups that are made on a schedule. There is one document, and none without a schedule. */
export interface BackupResultRow extends Row<typeof backupResult> {}

const backupResultSchema = new Schema<BackupResultRow>(backupResult, rowOptions);

export const backupResults = collection<BackupResultRow>('backup_results', backupResultSchema);

/** Records that a backup is expected every so many hours from now on, if that was not known. */
export async function expectBackups(db: Db, everyHours: number): Promise<void> {
  await backupResults(db).updateOne(
    { _id: 'last' },
    {
      $set: { every_hours: everyHours },
      $setOnInsert: { expected_since: new Date(), ended_at: null, failure: null },
    },
    { upsert: true },
  );
}

/** Records that backups are made, but on no schedule. */
export async function expectNoBackups(db: Db): Promise<void> {
  await removeRow(backupResults(db), { _id: 'last' });
}

/** Records how a backup ended. @param failure why it is not complete, or null */
export async function saveBackupResult(db: Db, failure: string | null): Promise<void> {
  await backupResults(db).updateOne(
    { _id: 'last' },
    { $set: { failure, ...(failure === null && { ended_at: new Date() }) } },
  );
}

/** @returns the backups on a schedule, or null without one */
export async function findBackupResult(db: Db): Promise<BackupResultRow | null> {
  return backupResults(db).findById('last').lean();
}
