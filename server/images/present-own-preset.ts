import type { OwnPreset, OwnPresetId } from '#contract';
import { fieldsOfRow, type OwnPresetRow } from '#shared/data/own-presets.ts';

/** What a seller sees of an own export preset. */
export function presentOwnPreset(row: OwnPresetRow): OwnPreset {
  return {
    // Only ids of this form are ever stored.
    id: row._id as OwnPresetId,
    ...fieldsOfRow(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
