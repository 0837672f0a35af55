import { Schema } from 'mongoose';
import { collection } from './collection.ts';
import { type Db, isDuplicateKey, newId } from './db.ts';
import { withPrefix } from './id-prefix.ts';
import { takeLease } from './lease.ts';
import { mailKinds, mailPriorities } from './mail-kinds.ts';
import {
  date,
  nullableDate,
  nullableText,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
} from './row.ts';

const mail = {
  /** The Message-ID is derived from it, so a mailbox recognises a second delivery. */
  _id: text,
  kind: { type: String, enum: mailKinds, required: true },
  /** Mails of priority 0 are sent before all others. */
  priority: { type: Number, enum: mailPriorities, required: true },
  to: text,
  subject: text,
  /** Removed once the mail is sent, because its links give access to an account. Kept while it can be sent again. */
  text: nullableText,
  html: nullableText,
  /** Where answers go; null for our support. */
  reply_to: nullableText,
  /** Whether mailboxes show it as important. */
  important: { type: Boolean, default: false },
  /** Removed once the mail is sent, like its text. */
  attachment: {
    type: new Schema(
      { file_name: text, content_type: text, content: { type: Buffer, required: true } },
      partOptions,
    ),
    default: null,
  },
  /** The address that turns mails like it off, for mailboxes; null if they always come. Removed with its text. */
  unsubscribe: nullableText,
  created_at: date,
  /** When it may be sent, or sent again after a failure. While it is being sent, the end of the sender's lease. */
  due_at: date,
  attempts: { type: Number, default: 0 },
  /** When it was sent or given up. */
  ended_at: nullableDate,
  /** When the row is removed; absent until it has ended. */
  remove_at: { type: Date, ...optional },
  /** Why the last attempt failed. */
  failure: nullableText,
  /** Why it was not sent: mail to its address comes back. Absent in others. */
  suppressed: { type: String, ...optional },
};

/** A mail in the outbox. */
export interface MailRow extends Row<typeof mail> {}

const mailSchema = new Schema<MailRow>(mail, rowOptions);
mailSchema.index({ ended_at: 1, priority: 1, due_at: 1 });
mailSchema.index({ to: 1, created_at: 1 });
mailSchema.index({ remove_at: 1 }, { expireAfterSeconds: 0 });
// Operators see those that failed, which are few.
mailSchema.index({ created_at: -1, _id: -1 }, { partialFilterExpression: { failure: { $gt: '' } } });

export const mails = collection<MailRow>('mails', mailSchema);

/** What a mail is made of. */
export type MailParts = Pick<MailRow, 'kind' | 'priority' | 'to' | 'subject' | 'text' | 'html'> &
  Partial<Pick<MailRow, 'reply_to' | 'important' | 'attachment' | 'unsubscribe'>>;

/**
 * Puts a mail into the outbox, due at once.
 * @param id idempotency key: a second mail with the same id is not inserted; a new id unless given
 * @returns whether it was inserted
 */
export async function insertMail(db: Db, mail: MailParts, id?: string): Promise<boolean> {
  const now = new Date();
  try {
    await mails(db).create({ _id: id ?? newId(), ...mail, created_at: now, due_at: now });
    return true;
  } catch (error) {
    if (id !== undefined && isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Whether another mail whose id begins so is neither sent nor given up. @param prefix ends with a dot */
export async function hasOpenMail(db: Db, prefix: string, id: string): Promise<boolean> {
  const others = { ...withPrefix(prefix), $ne: id };
  return (await mails(db).exists({ _id: others, ended_at: null })) !== null;
}

/** @returns what became of a mail, while its row is kept; null after that. One that was suppressed has failed. */
export async function findMail(
  db: Db,
  id: string,
): Promise<Pick<MailRow, 'created_at' | 'ended_at' | 'failure'> | null> {
  const row = await mails(db)
    .findById(id)
    .select({ created_at: 1, ended_at: 1, failure: 1, suppressed: 1 })
    .lean();
  return row && { ...row, failure: row.suppressed ?? row.failure };
}

/** A mail without what gives access to an account. */
export type MailWithoutContent = Omit<MailRow, 'text' | 'html' | 'attachment' | 'unsubscribe'>;

/** The mails to an address whose rows are kept, without their content, the oldest first. */
export function mailsTo(db: Db, to: string): AsyncIterable<MailWithoutContent> {
  return mails(db)
    .find({ to })
    .sort({ created_at: 1 })
    .select({ text: 0, html: 0, attachment: 0, unsubscribe: 0 })
    .lean<MailWithoutContent[]>()
    .cursor();
}

/** Removes the mails to an address that were created before a time, sent or not. */
export async function removeMailsTo(db: Db, to: string, before: Date): Promise<void> {
  await mails(db).deleteMany({ to, created_at: { $lt: before } });
}

/**
 * Takes the lease of the mail that has been due for longest among the most urgent ones.
 * @returns null when none is due
 */
export async function claimMail(db: Db, leaseMs: number): Promise<MailRow | null> {
  // One search for each priority, so that none reads past mails that are not due.
  for (const priority of mailPriorities) {
    const mail = await takeLease(mails(db), { ended_at: null, priority }, leaseMs, {
      field: 'due_at',
      update: { $inc: { attempts: 1 } },
      sort: { due_at: 1 },
    });
    if (mail) return withBytes(mail);
  }
  return null;
}

/** A mail with the bytes of its attachment: mongoose gives the driver's `Binary` where its type says `Buffer`. */
function withBytes(mail: MailRow): MailRow {
  if (!mail.attachment) return mail;
  const { content } = mail.attachment as { content: Uint8Array | { buffer: Uint8Array } };
  const bytes = content instanceof Uint8Array ? content : content.buffer;
  return { ...mail, attachment: { ...mail.attachment, content: Buffer.from(bytes) } };
}

/** For a mail that is not sent again. */
const withoutContent = { text: null, html: null, attachment: null, unsubscribe: null };

/** How long the row of a mail that was given up is kept, in ms. */
const givenUpKeptMs = 7 * 86_400_000;

/** Records that a mail was sent, and removes its content. @param keptMs how long the row is kept; null for ever */
export async function endMail(db: Db, mail: MailRow, keptMs: number | null): Promise<void> {
  const now = Date.now();
  await mails(db).updateOne(heldBy(mail), {
    $set: {
      ended_at: new Date(now),
      ...(keptMs !== null && { remove_at: new Date(now + keptMs) }),
      ...withoutContent,
      failure: null,
    },
  });
}

/** Records that a mail is given up. Operators can send it again while it is kept. @param failure why */
export async function giveUpMail(db: Db, mail: MailRow, failure: string): Promise<void> {
  const now = Date.now();
  await mails(db).updateOne(heldBy(mail), {
    $set: { ended_at: new Date(now), remove_at: new Date(now + givenUpKeptMs), failure },
  });
}

/** Records that a mail is not sent, because mail to its address comes back, and removes its content. */
export async function suppressMail(
  db: Db,
  mail: MailRow,
  suppressed: string,
  keptMs: number | null,
): Promise<void> {
  const now = Date.now();
  await mails(db).updateOne(heldBy(mail), {
    $set: {
      ended_at: new Date(now),
      ...(keptMs !== null && { remove_at: new Date(now + keptMs) }),
      ...withoutContent,
      failure: null,
      suppressed,
    },
  });
}

/** Makes a mail that was given up due again. @returns false if it is not, or its text is gone */
export async function sendMailAgain(db: Db, id: string): Promise<boolean> {
  const { modifiedCount } = await mails(db).updateOne(
    { _id: id, ended_at: { $ne: null }, failure: { $gt: '' }, text: { $ne: null } },
    { $set: { ended_at: null, due_at: new Date() }, $unset: { remove_at: 1 } },
  );
  return modifiedCount === 1;
}

/** A mail that failed, without its content. */
export type FailedMailRow = MailWithoutContent & {
  /** Whether its content is still there. */
  has_text: boolean;
};

/** @returns the newest mails whose last attempt failed, given up or not */
export function listFailedMails(db: Db, limit: number): Promise<FailedMailRow[]> {
  return mails(db).aggregate<FailedMailRow>([
    { $match: { failure: { $gt: '' } } },
    { $sort: { created_at: -1, _id: -1 } },
    { $limit: limit },
    { $set: { has_text: { $ne: ['$text', null] } } },
    { $unset: ['text', 'html', 'attachment', 'unsubscribe'] },
  ]);
}

/** Releases a mail to be tried again after a delay. @param failure why this attempt failed */
export async function delayMail(db: Db, mail: MailRow, delayMs: number, failure: string): Promise<void> {
  await mails(db).updateOne(heldBy(mail), {
    $set: { due_at: new Date(Date.now() + delayMs), failure },
  });
}

/** @returns how many mails are in the outbox and not sent */
export function countWaitingMails(db: Db): Promise<number> {
  return mails(db).countDocuments({ ended_at: null });
}

/** @returns how many mails failed at their last attempt: those that are tried again, and those that were given up */
export async function countFailedMails(db: Db): Promise<{ retried: number; given_up: number }> {
  const counts = await mails(db).aggregate<{ _id: boolean; count: number }>([
    // The time is for the index of those that failed, which begins with it.
    { $match: { failure: { $gt: '' }, created_at: { $gt: new Date(0) } } },
    { $group: { _id: { $eq: ['$ended_at', null] }, count: { $sum: 1 } } },
  ]);
  const count = (waits: boolean) => counts.find(({ _id }) => _id === waits)?.count ?? 0;
  return { retried: count(true), given_up: count(false) };
}

/** @returns mails that were tried and not accepted: how many, when the oldest was written, and why it was not accepted */
export async function findFailingMails(
  db: Db,
): Promise<{ count: number; since: Date | null; failure: string | null }> {
  // As above, for the index.
  const failing = { ended_at: null, failure: { $gt: '' }, created_at: { $gt: new Date(0) } };
  const [count, oldest] = await Promise.all([
    mails(db).countDocuments(failing),
    mails(db).findOne(failing).sort({ created_at: 1 }).select({ created_at: 1, failure: 1 }).lean(),
  ]);
  return { count, since: oldest?.created_at ?? null, failure: oldest?.failure ?? null };
}

/** Matches a mail until it is claimed again: the claim increases `attempts`. */
const heldBy = ({ _id, attempts }: MailRow) => ({ _id, attempts, ended_at: null });
