import { limits } from '#contract';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { Db } from '#shared/data/db.ts';

/** Mails that anybody can request for an address. Each kind has a limit of its own. */
export type RequestedMail = 'verification' | 'reset';

/**
 * Limits the mails that can be requested for an address, known or not, so that nobody can flood a mailbox with them.
 * @returns a function that resolves to whether one more may be sent. Clients are not told, so that the answer does not
 *   depend on the address
 */
export function createMailLimit(db: Db): (mail: RequestedMail, email: string) => Promise<boolean> {
  const limit = createRateLimit(db, {
    name: 'mails_asked',
    points: limits.mailsAsked,
    seconds: limits.mailsWindowSeconds,
  });
  return (mail, email) => limit.allows(`${mail} ${email}`);
}
