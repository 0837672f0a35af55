import { Schema } from 'mongoose';
import { collection } from './collection.ts';
import { type Db, isDuplicateKey } from './db.ts';
import { type Row, rowOptions, text } from './row.ts';

const storageFolder = {
  _id: { type: String, enum: ['storage'] as const, required: true },
  /** The content of the folder's marker file (`shared/storage/storage-marker.ts`). */
  marker: text,
};

/** The storage folder that belongs to this database. There is one document. */
export interface StorageFolderRow extends Row<typeof storageFolder> {}

const storageFolderSchema = new Schema<StorageFolderRow>(storageFolder, rowOptions);

export const storageFolders = collection<StorageFolderRow>('storage_folders', storageFolderSchema);

/** @returns the marker of the folder that belongs to this database, or undefined before there is one */
export async function findStorageMarker(db: Db): Promise<string | undefined> {
  return (await storageFolders(db).findById('storage').lean())?.marker;
}

/**
 * Records which folder belongs to this database, unless one is recorded. One of several concurrent calls wins.
 * @returns the marker of the folder that is recorded
 */
export async function saveStorageMarker(db: Db, marker: string): Promise<string> {
  try {
    const row = await storageFolders(db)
      .findOneAndUpdate(
        { _id: 'storage' },
        { $setOnInsert: { marker } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return row.marker;
  } catch (error) {
    // Of two concurrent upserts that insert, MongoDB lets one fail.
    const winner = isDuplicateKey(error) ? await findStorageMarker(db) : undefined;
    if (winner === undefined) throw error;
    return winner;
  }
}
