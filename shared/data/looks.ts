import { Schema } from 'mongoose';
import {
  type ChangeLook,
  exportPresetIds,
  imageOptionsOf,
  isOwnPresetId,
  limits,
  sceneTemplates,
} from '#contract';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from './collection.ts';
import { type Db, newId } from './db.ts';
import { insertIntoFreePlace } from './free-place.ts';
import { imageOptionsPart } from './options.ts';
import { date, flag, number, optional, type Row, rowOptions, text } from './row.ts';

const look = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** One of the seller's places for looks, from 0 to `limits.looks` - 1. Absent once the look was deleted. */
  slot: { type: Number, ...optional },
  name: text,
  scene: text,
  template: { type: String, enum: [...sceneTemplates, null], default: null },
  options: imageOptionsPart,
  num_images: number,
  export_presets: { type: [String], enum: exportPresetIds, required: true },
  /** Ids of the seller's own presets; absent without one. Apart from the others, of which servers of 1.0 know each. */
  own_presets: { type: [String], default: undefined, ...optional },
  /** Whether its small picture is stored. */
  picture: flag,
  /** When the seller deleted it: its files are being removed. Absent otherwise. */
  deleted_at: { type: Date, ...optional },
  created_at: date,
  updated_at: date,
} as const;

/** A look: scene and options of one seller under a name (docs/decisions/0055-saved-looks.md). */
export interface LookRow extends Row<typeof look> {}

const lookSchema = new Schema<LookRow>(look, rowOptions);
// Two looks of a seller never have the same place, so there are never more than places.
lookSchema.index({ profile: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $gte: 0 } } });
lookSchema.index({ profile: 1, updated_at: -1 });
lookSchema.index({ deleted_at: 1 }, { sparse: true });

export const looks = collection<LookRow>('looks', lookSchema, 'apart');

/** Those that sellers see. */
const visible = { deleted_at: null } as const;

const fieldsOf = (look: ChangeLook) => ({
  name: look.name,
  scene: look.scene,
  template: look.template,
  options: imageOptionsOf(look),
  num_images: look.numImages,
  export_presets: look.exportPresets.filter((id) => !isOwnPresetId(id)),
  own_presets: look.exportPresets.filter(isOwnPresetId),
});

/**
 * Inserts a look of a seller, without a picture, into their first free place.
 * @returns undefined if all places are taken
 */
export async function insertLook(db: Db, sellerId: string, fields: ChangeLook): Promise<LookRow | undefined> {
  const now = new Date();
  const row = {
    ...fieldsOf(fields),
    _id: newId(),
    profile: sellerId,
    picture: false,
    created_at: now,
    updated_at: now,
  };
  const list = () => listLooks(db, sellerId);
  return insertIntoFreePlace(list, limits.looks, async (slot) =>
    slot === undefined ? undefined : (await looks(db).create({ ...row, slot })).toObject(),
  );
}

/** @returns a seller's looks, the one that was changed last first */
export function listLooks(db: Db, sellerId: string): Promise<LookRow[]> {
  return looks(db)
    .find({ profile: sellerId, ...visible })
    .sort({ updated_at: -1, _id: -1 })
    .lean();
}

/** @returns a seller's own look; null when there is none */
export function findLook(db: Db, sellerId: string, id: string): Promise<LookRow | null> {
  return looks(db)
    .findOne({ _id: id, profile: sellerId, ...visible })
    .lean();
}

/** Replaces name, scene and options of a seller's own look. @returns it after the change; null when there is none */
export function changeLook(
  db: Db,
  sellerId: string,
  id: string,
  fields: ChangeLook,
): Promise<LookRow | null> {
  return looks(db)
    .findOneAndUpdate(
      { _id: id, profile: sellerId, ...visible },
      { $set: { ...fieldsOf(fields), updated_at: new Date() } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Takes an own preset that was deleted out of a seller's looks. */
export async function removePresetFromLooks(db: Db, sellerId: string, id: string): Promise<void> {
  await looks(db).updateMany({ profile: sellerId, own_presets: id }, { $pull: { own_presets: id } });
}

/** Records that the small picture of a look is stored. */
export async function recordLookPicture(db: Db, id: string): Promise<void> {
  await looks(db).updateOne({ _id: id, ...visible }, { $set: { picture: true } });
}

/** Deletes a seller's own look: no seller sees it from here on, and its place is free. @returns whether there was one */
export async function beginLookDeletion(db: Db, sellerId: string, id: string): Promise<boolean> {
  const { modifiedCount } = await looks(db).updateOne(
    { _id: id, profile: sellerId, ...visible },
    { $set: { deleted_at: new Date() }, $unset: { slot: 1 } },
  );
  return modifiedCount > 0;
}

/** @returns ids of at most `limit` looks that were deleted before a moment */
export async function findDeletedLooks(db: Db, deletedBefore: Date, limit: number): Promise<string[]> {
  const rows = await looks(db)
    .find({ deleted_at: { $lt: deletedBefore } })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** @returns ids of all looks of a seller, also of those that were deleted: they may have files */
export async function findLookIdsOf(db: Db, sellerId: string): Promise<string[]> {
  const rows = await looks(db).find({ profile: sellerId }).select({ _id: 1 }).lean();
  return rows.map(({ _id }) => _id);
}

/** Removes a look whose files are removed. */
export async function removeLook(db: Db, id: string): Promise<void> {
  await removeRow(looks(db), { _id: id });
}
