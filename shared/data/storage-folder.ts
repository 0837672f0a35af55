import { type Model, Schema } from 'mongoose';

/** The storage folder that belongs to this database: one document. */
export interface StorageFolderRow {
  _id: 'storage';
  /** What the folder's marker says (`shared/platform/storage-marker.ts`). */
  marker: string;
  adopted_at: Date;
}

export type StorageFolderModel = Model<StorageFolderRow>;

export const storageFolderSchema = new Schema<StorageFolderRow, StorageFolderModel>(
  {
    _id: { type: String, required: true },
    marker: { type: String, required: true },
    adopted_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
