import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { editedName } from '#shared/views/generation.ts';

/** The storage key of a photo or image, from the row: a name in a URL is never used as a path. */
export function imageKeyOf(row: GenerationRow, name: string): string | undefined {
  if (name === 'image') return row.image?.key;
  if (row.edits && name === editedName(row.edits.version))
    return storageKeys.edited(row._id, row.edits.version);
  const photo = /^photo-(\d)$/.exec(name);
  if (photo) return row.photos[Number(photo[1])]?.key;
  return undefined;
}
