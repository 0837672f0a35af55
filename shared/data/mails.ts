import type { Data } from './connect.ts';
import type { MailRow } from './mail.ts';

/**
 * Claims the mail that has been due for longest: nobody else tries it before the lease is over.
 * @returns null when none is due
 */
export async function claimMail(data: Data, leaseMs: number): Promise<MailRow | null> {
  const now = Date.now();
  return data.mails
    .findOneAndUpdate(
      { ended_at: null, due_at: { $lte: new Date(now) } },
      { $set: { due_at: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    )
    .lean();
}

/** Notes that a mail was sent, or with a reason that it never will be: what it said is forgotten. */
export async function endMail(data: Data, mail: MailRow, failure: string | null): Promise<void> {
  await data.mails.updateOne(whichAttempt(mail), {
    $set: { ended_at: new Date(), text: null, html: null, failure },
  });
}

/** Has a mail tried again. @param failure why this try was in vain */
export async function delayMail(data: Data, mail: MailRow, delayMs: number, failure: string): Promise<void> {
  await data.mails.updateOne(whichAttempt(mail), {
    $set: { due_at: new Date(Date.now() + delayMs), failure },
  });
}

/** Only whoever has the last claim on a mail decides about it. */
const whichAttempt = ({ _id, attempts }: MailRow) => ({ _id, attempts, ended_at: null });
