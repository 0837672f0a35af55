import type { Db } from './connect.ts';
import type { MailRow } from './mail.ts';

/** Most urgent first. Rows of an older version have no priority, and are mails like most. */
const byUrgency: (MailRow['priority'] | { $in: MailRow['priority'][] })[] = [0, { $in: [1, null] }];

/**
 * Claims the mail that has been due for longest among the most urgent: nobody else tries it before the lease is over.
 * @returns null when none is due
 */
export async function claimMail(db: Db, leaseMs: number): Promise<MailRow | null> {
  // One search for each, so that none reads past mails that are not due.
  for (const priority of byUrgency) {
    const mail = await claimOf(db, priority, leaseMs);
    if (mail) return mail;
  }
  return null;
}

async function claimOf(
  db: Db,
  priority: (typeof byUrgency)[number],
  leaseMs: number,
): Promise<MailRow | null> {
  const now = Date.now();
  return db.mails
    .findOneAndUpdate(
      { ended_at: null, priority, due_at: { $lte: new Date(now) } },
      { $set: { due_at: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    )
    .lean();
}

/** Notes that a mail was sent, or with a reason that it never will be: what it said is forgotten. */
export async function endMail(db: Db, mail: MailRow, failure: string | null): Promise<void> {
  await db.mails.updateOne(whichAttempt(mail), {
    $set: { ended_at: new Date(), text: null, html: null, failure },
  });
}

/** Has a mail tried again. @param failure why this try was in vain */
export async function delayMail(db: Db, mail: MailRow, delayMs: number, failure: string): Promise<void> {
  await db.mails.updateOne(whichAttempt(mail), {
    $set: { due_at: new Date(Date.now() + delayMs), failure },
  });
}

/** Only whoever has the last claim on a mail decides about it. */
const whichAttempt = ({ _id, attempts }: MailRow) => ({ _id, attempts, ended_at: null });
