import { freeImagesKey, postPendingEntries } from '#shared/credits/ledger.ts';
import {
  endFreeImageClaim,
  type FreeImageClaimRow,
  findPendingFreeImageClaims,
} from '#shared/data/accounts/free-image-claims.ts';
import { addFreeImages } from '#shared/data/profiles/images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { type AnnounceContext, announce } from '#shared/views/announce.ts';

/*
 * The free images of a new account (docs/credits.md, "Free images"). Who gets them is decided by a claim on the seller's
 * address (server/accounts/free-images/free-images.ts); from then on every step is idempotent, so that upkeep can finish them.
 */

/**
 * Grants the images of a claim and ends it. Idempotent.
 * @returns the profile after it; null when they were granted before, or the account is gone or being deleted
 */
export async function grantClaimedImages(
  { db, relay, config }: AnnounceContext,
  { _id: addressHash, pending }: FreeImageClaimRow,
): Promise<ProfileRow | null> {
  if (!pending) return null;
  const { profile: sellerId, count } = pending;
  const grant = { key: freeImagesKey(sellerId), count, period: null, at: new Date(), posted: false };
  const profile = await addFreeImages(db, sellerId, grant);
  if (profile) {
    await announce({ db, relay, config }, sellerId, { profile });
    await postPendingEntries(db, sellerId);
  }
  await endFreeImageClaim(db, addressHash);
  return profile;
}

/**
 * Grants the images of claims whose process died, for upkeep.
 * @param before only claims from before this time: younger ones are being granted
 * @param limit claims at most
 * @returns the number of claims
 */
export async function finishFreeImageClaims(
  context: AnnounceContext,
  before: Date,
  limit: number,
): Promise<number> {
  const claims = await findPendingFreeImageClaims(context.db, before, limit);
  for (const claim of claims) await grantClaimedImages(context, claim);
  return claims.length;
}
