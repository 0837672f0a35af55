import { Schema } from 'mongoose';
import { collection, insertRow } from './collection.ts';
import { type Db, newId } from './db.ts';
import { removeRow } from './remove-row.ts';
import { date, type Row, rowOptions, text } from './row.ts';

const fileRemoval = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** Generations whose own files are removed. */
  generations: { type: [String], required: true },
  /** The set whose photos are removed, unless others use them. */
  photo_set: text,
  created_at: date,
} as const;

/** Files whose rows are removed before them: nothing else would find them (docs/decisions/0003-insert-the-row-before-placing-the-hold.md). */
export interface FileRemovalRow extends Row<typeof fileRemoval> {}

export const fileRemovals = collection<FileRemovalRow>(
  'file_removals',
  new Schema<FileRemovalRow>(fileRemoval, rowOptions),
  'apart',
);

/** Records files that are to be removed. @returns it; whoever else removes the same ones has another */
export async function recordFileRemoval(
  db: Db,
  files: Omit<FileRemovalRow, '_id' | 'created_at'>,
): Promise<FileRemovalRow> {
  const removal = { _id: newId(), ...files, created_at: new Date() };
  await insertRow(fileRemovals(db), removal);
  return removal;
}

/** Forgets files that are removed, or are to stay. */
export async function forgetFileRemoval(db: Db, id: string): Promise<void> {
  await removeRow(fileRemovals(db), { _id: id });
}

/** @returns what of a seller is still to be removed */
export function findFileRemovalsOf(db: Db, sellerId: string): Promise<FileRemovalRow[]> {
  return fileRemovals(db).find({ profile: sellerId }).lean();
}

/** @returns at most `limit` removals that were recorded before a moment */
export function findFileRemovals(db: Db, before: Date, limit: number): Promise<FileRemovalRow[]> {
  return fileRemovals(db)
    .find({ created_at: { $lt: before } })
    .limit(limit)
    .lean();
}
