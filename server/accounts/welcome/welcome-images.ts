import { createHmac } from 'node:crypto';
import { limits } from '#contract';
import { grantClaimedImages } from '#shared/credits/welcome-images.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { declineWelcomeImages } from '#shared/data/profiles/welcome.ts';
import { claimWelcomeImages, findWelcomeClaim } from '#shared/data/welcome-claims.ts';
import { knownAddresses } from '#shared/mail/normalised-address.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';

const claimMs = limits.freeImagesDays * 86_400_000;

/** What deciding on free images needs of the server's context. */
interface WelcomeContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'welcomeImages' | 'sessionSecret'>;
}

/**
 * Decides whether a seller with a confirmed address gets free images, and grants them
 * (docs/decisions/0036-free-images.md). Called with every session that begins, and does something until it is decided.
 * @param profile as it was read when the session began
 * @param takeFromNetwork counts one grant for the seller's network; false when the network has had enough for now. Then it
 *   stays undecided, and the next sign-in tries again
 * @returns the profile after it
 */
export async function giveWelcomeImages(
  context: WelcomeContext,
  profile: ProfileRow,
  takeFromNetwork: () => Promise<boolean>,
): Promise<ProfileRow> {
  const { db, config } = context;
  const { _id: sellerId, email, welcome } = profile;
  if (!welcome.due) return profile;
  // Null: another session has decided meanwhile.
  const decided = async (after: ProfileRow | null) => after ?? (await findProfile(db, sellerId)) ?? profile;
  if (config.welcomeImages === 0) return decided(await declineWelcomeImages(db, sellerId));
  const addresses = addressHashes(email, config.sessionSecret);
  // Looked at first, so that an address that had its images takes nothing from its network.
  let claim = await findWelcomeClaim(db, addresses);
  if (!claim) {
    if (!(await takeFromNetwork())) return profile;
    const wanted = { sellerId, count: config.welcomeImages, lifeMs: claimMs };
    claim = await claimWelcomeImages(db, addresses, wanted);
  }
  // Null: it expired while it was read.
  if (!claim) return profile;
  if (claim.pending?.profile === sellerId) {
    return decided(await grantClaimedImages(context, claim));
  }
  // Another account with this mailbox has them, or had them.
  return decided(await declineWelcomeImages(db, sellerId));
}

/** @returns how many free images a new account with an address can expect; 0 when the mailbox has had them */
export async function expectedWelcomeImages({ db, config }: WelcomeContext, email: string): Promise<number> {
  const { welcomeImages, sessionSecret } = config;
  if (welcomeImages === 0) return 0;
  return (await findWelcomeClaim(db, addressHashes(email, sessionSecret))) ? 0 : welcomeImages;
}

/**
 * The key of a mailbox's claim, and keys that older versions may have given to it. They are made with the server's secret, so
 * that a copy of the database does not tell which addresses had an account.
 */
function addressHashes(email: string, secret: string): [key: string, ...older: string[]] {
  const hash = (address: string) =>
    createHmac('sha256', secret).update(`welcome ${address}`).digest('base64url');
  const [normalised, ...older] = knownAddresses(email);
  return [hash(normalised), ...older.map(hash)];
}
