import { limits } from '#contract';
import { createNetworkRateLimit, createRateLimit } from '#server/http/rate-limit.ts';
import type { Db } from '#shared/data/db.ts';
import { normalisedAddress } from '#shared/mail/normalised-address.ts';

/**
 * Mails that anybody can request for an address: `new-address` to the one that an account is to move to. Each kind has a
 * limit of its own. Confirmations of messages have theirs in server/contact/send-message.ts.
 */
export type RequestedMail = 'verification' | 'reset' | 'new-address';

/**
 * Limits the mails that can be requested for an address, known or not, so that nobody can flood a mailbox with them, under
 * whichever of its spellings. Each network has its own limit, so that a stranger does not use up the owner's; all together
 * have a larger one. Whoever has the mailbox can get in even then: the newest link for a new password works for as long as
 * the limit lasts.
 * @returns a function that resolves to whether one more may be sent. Clients are not told, so that the answer does not
 *   depend on the address
 */
export function createMailLimit(
  db: Db,
): (mail: RequestedMail, email: string, network: string) => Promise<boolean> {
  const seconds = limits.mailsWindowSeconds;
  const ofNetwork = createNetworkRateLimit(db, {
    name: 'mails_asked_by_network',
    points: limits.mailsAsked,
    seconds,
  });
  const ofAll = createRateLimit(db, { name: 'mails_asked', points: limits.mailsAskedOfAll, seconds });
  return async (mail, email, network) => {
    const mailbox = `${mail} ${normalisedAddress(email)}`;
    // In this order: what one network asks for beyond its limit does not count for the others.
    return (await ofNetwork.allows(network, mailbox)) && ofAll.allows(mailbox);
  };
}
