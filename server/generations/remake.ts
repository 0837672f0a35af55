import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkRemakes, reserveRemake } from '#shared/credits/remakes.ts';
import { newId } from '#shared/data/db.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { remakeOffer } from '#shared/generations/remake-offer.ts';
import { recordRemake } from '#shared/generations/remakes.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { accept, complete } from './accept.ts';
import { parentPhotos } from './parent-photos.ts';
import { receive } from './receive.ts';

/**
 * Makes an image again at no charge, because it hardly matches the product: a new generation with the same photos,
 * description and options, the next seed and, for a changed image, the same change of the same image. Idempotent: each generation is made again once, and a repeated request gets
 * the generation of the first one (docs/decisions/0052-made-again-at-no-charge.md).
 * @param id the generation to make again
 * @returns the row of the new generation, queued or further
 * @throws AppError NOT_FOUND, REMAKE_NOT_OFFERED or REMAKE_LIMIT; then neither row nor hold is left
 */
export async function remake(context: ServerContext, sellerId: string, id: string): Promise<GenerationRow[]> {
  const { db } = context;
  const original = await findGeneration(db, sellerId, id);
  if (!original) throw new AppError('NOT_FOUND');
  if (remakeOffer(original) === null) throw new AppError('REMAKE_NOT_OFFERED');
  const received = await receive(context, {
    profile: sellerId,
    // A generation has this key once, which decides that it is made again once. No request can have it: it has a space.
    idempotencyKey: `${id} remake`,
    fingerprint: id,
    check: (profile) => checkRemakes(profile, new Date()),
    rows: (settings) => [remakeOf(original, settings.image_quality)],
  });
  const rows =
    received.outcome === 'repeated'
      ? await complete(context, received.first)
      : await accept(context, received.rows, {
          photos: async () => {
            await copyChangedFiles(context, original.change, received.rows[0].change);
            return parentPhotos(context, original);
          },
          holds: () => reserveRemake(db, received.profile, received.rows[0]),
        });
  await recordRemake(context, rows[0]!);
  return rows;
}

/** The row that makes a generation again. @param quality the seller's setting, for an original that has none */
function remakeOf(original: GenerationRow, quality: NonNullable<GenerationRow['quality']>): NewGeneration {
  const {
    _id: originalId,
    profile,
    prompt,
    photos_show: photosShow,
    options,
    photo_set: photoSet,
    change,
  } = original;
  // `remakeOffer` has checked both.
  if (!options || photoSet === undefined) throw new AppError('REMAKE_NOT_OFFERED');
  const { seed } = options;
  const id = newId();
  return {
    _id: id,
    profile,
    idempotency_key: `${originalId} remake`,
    fingerprint: originalId,
    ...(original.project !== undefined && { project: original.project }),
    prompt,
    product_name: original.product_name,
    ...(original.sku !== undefined && { sku: original.sku }),
    count: 1,
    quality: original.quality ?? quality,
    photos_show: photosShow ?? 'one-product',
    // The same seed would give the same image.
    options: { ...options, seed: seed === null ? null : (seed + 1) % (limits.seed + 1) },
    photo_set: photoSet,
    set: { id, index: 0, size: 1 },
    remake_of: originalId,
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
async function copyChangedFiles(
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
