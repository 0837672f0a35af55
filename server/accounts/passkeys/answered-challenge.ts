import { type ChallengePurpose, consumeChallenge } from '#shared/data/accounts/passkey-challenges.ts';
import type { Db } from '#shared/data/db.ts';
import { challengeIn } from './verify.ts';

/**
 * Uses up the challenge that a browser says its passkey has answered.
 * @param owner who answers; null for a browser that has asked for none
 * @returns the challenge; null if it is unknown, used, expired or somebody else's
 */
export async function answeredChallenge(
  db: Db,
  purpose: ChallengePurpose,
  owner: string | null,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (owner === null || challenge === null) return null;
  return (await consumeChallenge(db, purpose, owner, challenge)) ? challenge : null;
}
