import type { Db } from '#shared/data/db.ts';
import { type MailKind, mailPriority } from '#shared/data/mail-kinds.ts';
import { insertMail, type MailParts } from '#shared/data/mails.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { type MailData, makeMail } from './index.ts';

/** How a mail is sent. */
export interface MailOptions {
  id?: string;
  replyTo?: string;
  important?: boolean;
  attachment?: NonNullable<MailParts['attachment']>;
  unsubscribe?: string;
}

/**
 * Puts a mail into the outbox, from which the workers send it. The caller does not wait for the mail server, and a crash
 * loses no mail.
 * @param mailData the data for the template of this kind
 * @param options id: idempotency key, a mail with this id is sent once, however often it is enqueued; replyTo: where
 *   answers go, our support unless given; important: mailboxes show it as important; attachment: kept until it is sent;
 *   unsubscribe: the address that turns mails of this kind off (unsubscribe.ts)
 */
export async function enqueueMail<Kind extends MailKind>(
  db: Db,
  relay: Pick<EventRelay, 'publishMail'>,
  kind: Kind,
  to: string,
  mailData: MailData<Kind>,
  options: MailOptions = {},
): Promise<void> {
  const { subject, text, html } = makeMail(kind, mailData);
  const { replyTo = null, important = false, attachment = null, unsubscribe = null } = options;
  const mail: MailParts = {
    kind,
    priority: mailPriority(kind),
    to,
    subject,
    text,
    html,
    reply_to: replyTo,
    important,
    attachment,
    unsubscribe,
  };
  if (await insertMail(db, mail, options.id)) relay.publishMail();
}
