import { Schema } from 'mongoose';
import {
  isOwnPresetId,
  limits,
  type OwnPresetFields,
  type OwnPresetId,
  ownPresetFormats,
  ownPresetNameKey,
  type PresetId,
} from '#contract';
import { collection } from './collection.ts';
import { type Db, isDuplicateKey, newId } from './db.ts';
import { insertIntoFreePlace } from './free-place.ts';
import { date, nullableNumber, nullableText, number, type Row, rowOptions, text } from './row.ts';

const ownPreset = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** One of the seller's places for presets, from 0 to `limits.ownPresets` - 1. */
  slot: number,
  name: text,
  /** By what it is the only one of its name. */
  name_key: text,
  width: number,
  height: number,
  format: { type: String, enum: ownPresetFormats, required: true },
  quality: number,
  background: text,
  /** In percent. */
  product_share: nullableNumber,
  name_pattern: nullableText,
  /** Counts its changes, so that of two at once neither is made on what the other has changed. */
  version: number,
  created_at: date,
  updated_at: date,
} as const;

/** An export preset that a seller made (docs/decisions/0118-own-export-presets.md). */
export interface OwnPresetRow extends Row<typeof ownPreset> {}

const ownPresetSchema = new Schema<OwnPresetRow>(ownPreset, rowOptions);
// Two presets of a seller never have the same place, so there are never more than places; and never the same name.
ownPresetSchema.index({ profile: 1, slot: 1 }, { unique: true });
ownPresetSchema.index({ profile: 1, name_key: 1 }, { unique: true });

export const ownPresets = collection<OwnPresetRow>('export_presets', ownPresetSchema, 'apart');

const rowFields = (preset: OwnPresetFields) => ({
  name: preset.name,
  name_key: ownPresetNameKey(preset.name),
  width: preset.width,
  height: preset.height,
  format: preset.format,
  quality: preset.quality,
  background: preset.background,
  product_share: preset.productShare,
  name_pattern: preset.namePattern,
});

/** What is stored of a preset, as it was asked for. */
export const fieldsOfRow = (row: OwnPresetRow): OwnPresetFields => ({
  name: row.name,
  width: row.width,
  height: row.height,
  format: row.format,
  quality: row.quality,
  background: row.background,
  productShare: row.product_share,
  namePattern: row.name_pattern,
});

/**
 * Inserts a preset of a seller into their first free place.
 * @returns `limit` if all places are taken, `name` if one of them has its name
 */
export async function insertOwnPreset(
  db: Db,
  sellerId: string,
  fields: OwnPresetFields,
): Promise<OwnPresetRow | 'limit' | 'name'> {
  const now = new Date();
  const id: OwnPresetId = `own-${newId()}`;
  const row = {
    ...rowFields(fields),
    _id: id,
    profile: sellerId,
    version: 1,
    created_at: now,
    updated_at: now,
  };
  const list = () => listOwnPresets(db, sellerId);
  // The name is unique as well: one that another request took in between is there when this is tried again.
  return insertIntoFreePlace(list, limits.ownPresets, async (slot, rows) => {
    if (rows.some(({ name_key }) => name_key === row.name_key)) return 'name';
    return slot === undefined ? 'limit' : (await ownPresets(db).create({ ...row, slot })).toObject();
  });
}

/** @returns a seller's presets, by their names */
export function listOwnPresets(db: Db, sellerId: string): Promise<OwnPresetRow[]> {
  return ownPresets(db).find({ profile: sellerId }).sort({ name_key: 1 }).lean<OwnPresetRow[]>();
}

/** @returns a seller's own presets, if one of these ids can be one of them: else none are needed */
export async function listOwnPresetsFor(
  db: Db,
  sellerId: string,
  ids: readonly PresetId[],
): Promise<OwnPresetRow[]> {
  return ids.some(isOwnPresetId) ? listOwnPresets(db, sellerId) : [];
}

/** @returns a seller's own preset; null when there is none */
export function findOwnPreset(db: Db, sellerId: string, id: string): Promise<OwnPresetRow | null> {
  return ownPresets(db).findOne({ _id: id, profile: sellerId }).lean<OwnPresetRow>();
}

/**
 * Replaces the fields of a seller's own preset.
 * @param row as it was read
 * @returns it after the change; null if it was changed or deleted since; `name` if another one has its name
 */
export async function changeOwnPreset(
  db: Db,
  { _id, profile, version }: OwnPresetRow,
  fields: OwnPresetFields,
): Promise<OwnPresetRow | null | 'name'> {
  try {
    return await ownPresets(db)
      .findOneAndUpdate(
        { _id, profile, version },
        { $set: { ...rowFields(fields), updated_at: new Date() }, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean<OwnPresetRow>();
  } catch (error) {
    if (isDuplicateKey(error)) return 'name';
    throw error;
  }
}

/** Deletes a seller's own preset. @returns whether there was one */
export async function removeOwnPreset(db: Db, sellerId: string, id: string): Promise<boolean> {
  const { deletedCount } = await ownPresets(db).deleteOne({ _id: id, profile: sellerId });
  return deletedCount > 0;
}
