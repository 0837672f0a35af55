import type { Db } from '#shared/data/db.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { addWelcomeImages } from '#shared/data/profiles/welcome.ts';
import {
  endWelcomeClaim,
  findPendingWelcomeClaims,
  type WelcomeClaimRow,
} from '#shared/data/welcome-claims.ts';
import { announce } from '#shared/generations/announce.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { postPendingEntries } from './ledger.ts';
import { welcomeKey } from './welcome-key.ts';

/*
 * The free images of a new account (docs/credits.md, "Free images"). Who gets them is decided by a claim on the seller's
 * address (server/accounts/welcome-images.ts); from then on every step is idempotent, so that upkeep can finish them.
 */

/**
 * Grants the images of a claim and ends it. Idempotent.
 * @returns the profile after it; null when they were granted before, or the account is gone or being deleted
 */
export async function grantClaimedImages(
  { db, relay }: { db: Db; relay: EventRelay },
  { _id: addressHash, pending }: WelcomeClaimRow,
): Promise<ProfileRow | null> {
  if (!pending) return null;
  const { profile: sellerId, count } = pending;
  const grant = { key: welcomeKey(sellerId), count, period: null, at: new Date(), posted: false };
  const profile = await addWelcomeImages(db, sellerId, grant);
  if (profile) {
    await announce({ db, relay }, sellerId, { profile });
    await postPendingEntries(db, sellerId);
  }
  await endWelcomeClaim(db, addressHash);
  return profile;
}

/**
 * Grants the images of claims whose process died, for upkeep.
 * @param before only claims from before this time: younger ones are being granted
 * @param limit claims at most
 * @returns the number of claims
 */
export async function finishWelcomeClaims(
  context: { db: Db; relay: EventRelay },
  before: Date,
  limit: number,
): Promise<number> {
  const claims = await findPendingWelcomeClaims(context.db, before, limit);
  for (const claim of claims) await grantClaimedImages(context, claim);
  return claims.length;
}
