import { createHmac } from 'node:crypto';
import { limits } from '#contract';
import { grantClaimedImages } from '#shared/accounts/free-images.ts';
import { claimFreeImages, findFreeImageClaim } from '#shared/data/accounts/free-image-claims.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { declineFreeImages } from '#shared/data/profiles/images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { normalisedAddress } from '#shared/mail/normalised-address.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';

const claimMs = limits.freeImagesDays * 86_400_000;

/** What deciding on free images needs of the server's context. */
interface FreeImagesContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'freeImages' | 'sessionSecrets' | 'dailyImages'>;
}

/**
 * Decides whether a seller with a confirmed address gets free images, and grants them
 * (docs/decisions/0036-free-images.md). Called with every session that begins, and does something until it is decided.
 * @param profile as it was read when the session began
 * @param takeFromNetwork counts one grant for the seller's network; false when the network has had enough for now. Then it
 *   stays undecided, and the next sign-in tries again
 * @returns the profile after it
 */
export async function giveFreeImages(
  context: FreeImagesContext,
  profile: ProfileRow,
  takeFromNetwork: () => Promise<boolean>,
): Promise<ProfileRow> {
  const { db, config } = context;
  const { _id: sellerId, email, free_images: free } = profile;
  if (!free.due) return profile;
  // Null: another session has decided meanwhile.
  const decided = async (after: ProfileRow | null) => after ?? (await findProfile(db, sellerId)) ?? profile;
  if (config.freeImages === 0) return decided(await declineFreeImages(db, sellerId));
  const addresses = addressHashes(email, config.sessionSecrets);
  // Looked at first, so that an address that had its images takes nothing from its network.
  let claim = await findFreeImageClaim(db, addresses);
  if (!claim) {
    if (!(await takeFromNetwork())) return profile;
    const wanted = { sellerId, count: config.freeImages, lifeMs: claimMs };
    claim = await claimFreeImages(db, addresses[0]!, wanted);
  }
  // Null: it expired while it was read.
  if (!claim) return profile;
  if (claim.pending?.profile === sellerId) {
    return decided(await grantClaimedImages(context, claim));
  }
  // Another account with this mailbox has them, or had them.
  return decided(await declineFreeImages(db, sellerId));
}

/** @returns how many free images a new account with an address can expect; 0 when the mailbox has had them */
export async function expectedFreeImages({ db, config }: FreeImagesContext, email: string): Promise<number> {
  const { freeImages, sessionSecrets } = config;
  if (freeImages === 0) return 0;
  return (await findFreeImageClaim(db, addressHashes(email, sessionSecrets))) ? 0 : freeImages;
}

/**
 * The keys that a mailbox's claim may have, the first one for a new claim. They are made with the servers' secrets, so that a
 * copy of the database does not tell which addresses had an account.
 */
function addressHashes(email: string, secrets: readonly string[]): string[] {
  const text = `free images ${normalisedAddress(email)}`;
  return secrets.map((secret) => createHmac('sha256', secret).update(text).digest('base64url'));
}
