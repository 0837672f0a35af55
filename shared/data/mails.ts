import { Schema } from 'mongoose';
import { mailKinds, mailPriorities } from '#shared/mail/kinds.ts';
import { type Db, isDuplicateKey, newId } from './db.ts';
import { modelsOf } from './models.ts';
import { date, nullableDate, nullableText, type Row, rowOptions, text } from './row.ts';

const mail = {
  /** Also its Message-ID, so that a mailbox recognises a second delivery. */
  _id: text,
  /** Null in rows of versions that did not store it, as is `priority`. */
  kind: { type: String, enum: mailKinds, default: null },
  /** Mails of priority 0 are sent before all others. */
  priority: { type: Number, enum: mailPriorities, default: null },
  to: text,
  subject: text,
  /** Removed once the mail is sent: its links open accounts. */
  text: nullableText,
  html: nullableText,
  created_at: date,
  /** When it may be sent, or sent again after a failure. */
  due_at: date,
  attempts: { type: Number, default: 0 },
  /** When it was sent or given up; the row is removed a day later. */
  ended_at: nullableDate,
  /** Why the last attempt failed. */
  failure: nullableText,
};

/** A mail in the outbox. */
export interface MailRow extends Row<typeof mail> {}

export const mailSchema = new Schema<MailRow>(mail, rowOptions);
mailSchema.index({ ended_at: 1, priority: 1, due_at: 1 });
mailSchema.index({ ended_at: 1 }, { expireAfterSeconds: 86_400, name: 'forget' });

/**
 * Puts a mail into the outbox, due at once.
 * @param id idempotency key: a second mail with the same id is not inserted; a new id unless given
 * @returns whether it was inserted
 */
export async function insertMail(
  db: Db,
  mail: Pick<MailRow, 'kind' | 'priority' | 'to' | 'subject' | 'text' | 'html'>,
  id?: string,
): Promise<boolean> {
  const now = new Date();
  try {
    await modelsOf(db).mails.create({ _id: id ?? newId(), ...mail, created_at: now, due_at: now });
    return true;
  } catch (error) {
    if (id !== undefined && isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Removes the mails to an address that were created before a time, sent or not. */
export async function removeMailsTo(db: Db, to: string, before: Date): Promise<void> {
  await modelsOf(db).mails.deleteMany({ to, created_at: { $lt: before } });
}

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
  return modelsOf(db)
    .mails.findOneAndUpdate(
      { ended_at: null, priority, due_at: { $lte: new Date(now) } },
      { $set: { due_at: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    )
    .lean();
}

/** Notes that a mail was sent, or with a reason that it never will be: what it said is forgotten. */
export async function endMail(db: Db, mail: MailRow, failure: string | null): Promise<void> {
  await modelsOf(db).mails.updateOne(whichAttempt(mail), {
    $set: { ended_at: new Date(), text: null, html: null, failure },
  });
}

/** Has a mail tried again. @param failure why this try was in vain */
export async function delayMail(db: Db, mail: MailRow, delayMs: number, failure: string): Promise<void> {
  await modelsOf(db).mails.updateOne(whichAttempt(mail), {
    $set: { due_at: new Date(Date.now() + delayMs), failure },
  });
}

/** Only whoever has the last claim on a mail decides about it. */
const whichAttempt = ({ _id, attempts }: MailRow) => ({ _id, attempts, ended_at: null });
