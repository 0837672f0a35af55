import { availablePackImages } from '#shared/credits/holds.ts';
import { dueOfPack, packImagesOf, packKey, usesOfPacks } from '#shared/credits/pack-images.ts';
import { nextEntry } from '#shared/credits/returned-images.ts';
import type { BillingChange } from '#shared/data/profiles/billing.ts';
import type { PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState, PackPayment } from './billing-state.ts';

/**
 * Adds the images of packs that were paid, and takes back those whose payment was returned: as many as are neither used nor on
 * hold for an image that is under way. Images that were used stay used, whatever is returned.
 */
export function applyPacks(
  change: BillingChange,
  profile: ProfileRow,
  { packs: payments }: BillingState,
  now: Date,
): void {
  // Nothing was ever bought or about to be.
  if (!profile.pack_images) return;
  const { set } = change;
  const images = { ...packImagesOf(profile), arriving: 0 };
  set.pack_images = images;
  const known = profile.packs ?? [];
  for (const { id, images: count, isPaid } of payments) {
    if (!isPaid) {
      images.arriving += count;
      continue;
    }
    const key = packKey(id);
    if (known.some((pack) => pack.key === key)) continue;
    change.packs.push({ key, count, period: null, at: now, posted: false });
    set.granted += count;
    images.bought += count;
    images.left += count;
  }
  const paid = new Map(payments.map((payment) => [packKey(payment.id), payment]));
  const packs = [...known, ...change.packs];
  set.pack_returns = packs.flatMap((pack) => {
    const payment = paid.get(pack.key);
    // Of a payment that is too old to be read, what was returned is known from before.
    const count = payment ? dueImages(pack, payment) : dueOfPack(profile, pack);
    return count > 0 ? [{ key: pack.key, count }] : [];
  });
  correctPacks(change, profile, packs, now);
}

/** Images of a payment that are to be taken back: the part that its returned money is of it, in the seller's favour. */
function dueImages(pack: PendingLedgerEntry, { amount, returned }: PackPayment): number {
  if (amount === 0) return 0;
  return Math.floor((pack.count * Math.min(returned, amount)) / amount);
}

/** Takes back, or reinstates, what the returned payments ask for. */
function correctPacks(
  change: BillingChange,
  profile: ProfileRow,
  packs: PendingLedgerEntry[],
  now: Date,
): void {
  const { set, refunds, reinstates } = change;
  const after = { ...profile, packs, pack_images: set.pack_images, pack_returns: set.pack_returns };
  for (const { pack, missing, unused } of usesOfPacks(after)) {
    const due = dueOfPack(after, pack);
    const take = (count: number) => {
      set.pack_images!.left -= count;
      set.refunded += count;
    };
    if (due < missing) {
      reinstates.push(nextEntry(profile.reinstates, pack, missing - due, now));
      take(due - missing);
    } else if (due > missing) {
      const wanted = Math.min(due - missing, unused);
      if (availablePackImages(set) < wanted) {
        // Images of batches that wait are not begun: they are taken back as well.
        set.holds = set.holds.filter(({ balance, waiting }) => balance !== 'pack' || !waiting);
      }
      const count = Math.min(wanted, availablePackImages(set));
      // All of it is used: the ledger says that nothing was taken, once for each return.
      const isUsed = wanted === 0 && due > dueOfPack(profile, pack);
      if (count > 0 || isUsed) refunds.push(nextEntry(profile.refunds, pack, count, now));
      take(count);
    }
  }
}
