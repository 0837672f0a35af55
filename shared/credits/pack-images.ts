import type { PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import { missingOf } from './returned-images.ts';

/*
 * The images of packs (docs/credits.md, "Packs"). They are one balance; which pack an image came from is computed: those of the
 * pack that was bought first are used first.
 */

/** The parts of a profile that say what became of its packs. */
export type PackFields = Pick<
  ProfileRow,
  'packs' | 'pack_images' | 'pack_returns' | 'refunds' | 'reinstates'
>;

/** The key of the ledger entry for the images of a pack. @param payment the id of Stripe's payment intent */
export const packKey = (payment: string) => `pack:${payment}`;

/** The counters of a seller's packs; zeros before the first one. */
export const packImagesOf = ({ pack_images: images }: Pick<ProfileRow, 'pack_images'>) =>
  images ?? { bought: 0, left: 0, arriving: 0 };

/** A pack: images of it that were taken back because their payment was returned, and images that are not used. */
interface PackUse {
  pack: PendingLedgerEntry;
  missing: number;
  unused: number;
}

/** What became of each pack, in the order in which they were paid. Images on hold are not used yet. */
export function usesOfPacks(profile: PackFields): PackUse[] {
  const packs = (profile.packs ?? []).map((pack) => ({ pack, missing: missingOf(profile, pack) }));
  const kept = packs.reduce((sum, { pack, missing }) => sum + pack.count - missing, 0);
  let used = kept - packImagesOf(profile).left;
  return packs.map(({ pack, missing }) => {
    const own = pack.count - missing;
    const usedOfIt = Math.min(used, own);
    used -= usedOfIt;
    return { pack, missing, unused: own - usedOfIt };
  });
}

/** How many images of a pack are to be taken back in all, as of the last reading. */
export const dueOfPack = ({ pack_returns: returns }: PackFields, { key }: PendingLedgerEntry) =>
  returns?.find((each) => each.key === key)?.count ?? 0;

/** A pack whose payment was returned while images of it were on hold, and how many are still to be taken back; undefined if none. */
export function owedPack(profile: PackFields): { pack: PendingLedgerEntry; count: number } | undefined {
  return usesOfPacks(profile)
    .map(({ pack, missing, unused }) => ({
      pack,
      count: Math.min(dueOfPack(profile, pack) - missing, unused),
    }))
    .find(({ count }) => count > 0);
}
