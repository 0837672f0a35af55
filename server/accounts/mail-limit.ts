import { limits } from '#contract';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { Db } from '#shared/data/db.ts';
import { AppError } from '#shared/platform/errors.ts';

/** What mails are asked for: each has a limit of its own, so a stranger who uses up one leaves the other. */
export type AskedMail = 'verification' | 'reset';

/**
 * Limits the mails that may be asked for an address, known or not, so that nobody's mailbox is flooded through us.
 * @returns a function that says whether one more may be sent; nobody is told that it may not
 */
export function createMailLimit(db: Db): (mail: AskedMail, email: string) => Promise<boolean> {
  const limit = createRateLimit(db, {
    name: 'mails_asked',
    points: limits.mailsAsked,
    seconds: limits.mailsWindowSeconds,
  });
  return async (mail, email) => {
    try {
      await limit(`${mail} ${email}`);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
}
