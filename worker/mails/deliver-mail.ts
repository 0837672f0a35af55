import { delayMail, endMail, giveUpMail, type MailRow } from '#shared/data/mails.ts';
import { mailAttempts } from '#shared/metrics/metrics.ts';
import { retryDelayMs } from '#shared/platform/retry.ts';
import type { WorkerContext } from '#worker/context.ts';
import { MailError, type MailTransport } from './transport.ts';

/** Age at which an undelivered mail is given up, in ms: its links have expired by then. */
const maxAgeMs = 86_400_000;

type MailContext = Pick<WorkerContext, 'config' | 'db' | 'log'>;

/**
 * Sends a mail and records that it was sent. If it is not accepted, it is tried again later or given up.
 * @param mail claimed by this worker
 */
export async function deliverMail(
  context: MailContext,
  transport: MailTransport,
  mail: MailRow,
): Promise<void> {
  const { _id: id, to, subject, text, html, reply_to: replyTo, important, attachment } = mail;
  try {
    if (text === null || html === null) throw new MailError('The mail has no text', { permanent: true });
    await transport.send({ id, to, subject, text, html, replyTo, important, attachment });
  } catch (error) {
    await retryOrGiveUp(context, mail, error as Error);
    return;
  }
  mailAttempts.inc({ outcome: 'sent' });
  await endMail(context.db, mail, context.config.retention.sentMails);
}

async function retryOrGiveUp({ db, log }: MailContext, mail: MailRow, error: Error): Promise<void> {
  const permanent = error instanceof MailError && error.permanent;
  if (permanent || Date.now() - mail.created_at.getTime() > maxAgeMs) {
    mailAttempts.inc({ outcome: 'given_up' });
    log.error({ err: error, mail: mail._id, attempts: mail.attempts }, 'a mail was given up');
    await giveUpMail(db, mail, error.message);
    return;
  }
  mailAttempts.inc({ outcome: 'postponed' });
  const delayMs = retryDelayMs(mail.attempts);
  log.warn({ err: error, mail: mail._id, delayMs }, 'a mail is tried again later');
  await delayMail(db, mail, delayMs, error.message);
}
