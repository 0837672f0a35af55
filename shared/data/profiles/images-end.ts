import type { Db } from '#shared/data/db.ts';
import { profiles } from './schema.ts';

/* When the images of sellers end whose plan ended. Billing writes the date, and removes it when a plan begins. */

const over = () => ({ images_end_at: { $lt: new Date() } });

/** @returns sellers whose images end now, the ones due for longest first */
export async function findSellersWhoseImagesEnd(db: Db, limit: number): Promise<string[]> {
  const rows = await profiles(db)
    .find(over())
    .sort({ images_end_at: 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/** @returns whether the images of a seller end now: no plan began since */
export async function doImagesEnd(db: Db, sellerId: string): Promise<boolean> {
  return (await profiles(db).exists({ _id: sellerId, ...over() })) !== null;
}

/** Records that all images of a seller were deleted. */
export async function recordImagesEnded(db: Db, sellerId: string): Promise<void> {
  await profiles(db).updateOne({ _id: sellerId, ...over() }, { $set: { images_end_at: null } });
}
