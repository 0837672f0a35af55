import { type LookView, paths } from '#contract';
import type { LookRow } from '#shared/data/looks.ts';

/** What a seller sees of a look. */
export function presentLook(row: LookRow): LookView {
  return {
    id: row._id,
    name: row.name,
    scene: row.scene,
    template: row.template,
    ...row.options,
    numImages: row.num_images,
    exportPresets: row.export_presets,
    pictureUrl: row.picture ? paths.lookPicture(row._id) : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
