import type { Migration } from './migration.ts';

/** Packs of images: upkeep looks for those that are not in the ledger yet. */
export const imagePacks: Migration = {
  name: '0006-image-packs',
  indexes: { profiles: ['packs.posted_1'] },
};
