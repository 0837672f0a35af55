import type { ServerContext } from '#server/http/context.ts';
import { newId } from '#shared/data/db.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/platform/storage.ts';

/**
 * A row with the same photos, description and options as another generation and, for a changed image, the same change of
 * the same image.
 * @param key its idempotency key
 */
export function requestAgain(original: GenerationRow, key: string): NewGeneration {
  const { profile, prompt, photos_show: photosShow, options, photo_set: photoSet, change } = original;
  const id = newId();
  return {
    _id: id,
    profile,
    idempotency_key: key,
    fingerprint: original._id,
    ...(original.project !== undefined && { project: original.project }),
    prompt,
    product_name: original.product_name,
    ...(original.sku !== undefined && { sku: original.sku }),
    count: 1,
    quality: original.quality,
    photos_show: photosShow,
    options,
    photo_set: photoSet,
    set: { id, index: 0, size: 1 },
    ...(change && {
      parent: original.parent,
      root: original.root,
      change: {
        instruction: change.instruction,
        image_key: storageKeys.changed(id),
        mask_key: change.mask_key === null ? null : storageKeys.mask(id),
      },
    }),
    created_at: new Date(),
  };
}

/** Copies the image that is to be changed, and its mask: the original can be deleted. */
export async function copyChangedFiles(
  { storage }: ServerContext,
  from: GenerationRow['change'],
  to: NewGeneration['change'],
): Promise<void> {
  if (!from || !to) return;
  const pairs = [
    [from.image_key, to.image_key],
    [from.mask_key, to.mask_key],
  ] as const;
  for (const [key, copyKey] of pairs) {
    if (key === null || copyKey === null) continue;
    const file = await storage.get(key);
    if (!file) throw new AppError('NOT_FOUND');
    await storage.put(copyKey, file);
  }
}
