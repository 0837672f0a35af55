import { type QueryFilter, Schema } from 'mongoose';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { nullableDate, type Row, rowOptions, text } from '../row.ts';

const banner = {
  _id: { type: String, enum: ['banner'] as const, required: true },
  text,
  /** When it disappears; null if an operator removes it. */
  until: nullableDate,
  /** From when, until `until`, no new images are accepted; null for never. */
  closed_from: nullableDate,
};

/** The message that sellers read on every page. There is at most one document. */
export interface BannerRow extends Row<typeof banner> {}

const bannerRowSchema = new Schema<BannerRow>(banner, rowOptions);

export const banners = collection<BannerRow>('banners', bannerRowSchema, 'beside');

/** What the banner that is shown at a moment matches. */
export const shownAt = (now: Date): QueryFilter<BannerRow> => ({
  _id: 'banner',
  $or: [{ until: null }, { until: { $gt: now } }],
});

/** @returns the banner that is shown now, or null */
export function findBanner(db: Db): Promise<BannerRow | null> {
  return banners(db).findOne(shownAt(new Date())).lean();
}

/** Shows a banner, in place of another one. */
export async function setBanner(db: Db, banner: Omit<BannerRow, '_id'>): Promise<void> {
  await banners(db).replaceOne({ _id: 'banner' }, { _id: 'banner', ...banner }, { upsert: true });
}

/** Removes the banner. Idempotent. */
export async function removeBanner(db: Db): Promise<void> {
  await removeRow(banners(db), { _id: 'banner' });
}
