import { treatmentOf } from '#shared/data/mail-kinds.ts';
import { delayMail, endMail, giveUpMail, type MailRow, suppressMail } from '#shared/data/mails.ts';
import { findUnreachable, takeTry } from '#shared/data/profiles/unreachable.ts';
import { recordBounce, saysAddressIsDead } from '#shared/mail/bounces.ts';
import { mailAttempts } from '#shared/metrics/metrics.ts';
import { retryDelayMs } from '#shared/platform/retry.ts';
import type { WorkerContext } from '#worker/context.ts';
import { MailError, type MailTransport } from './transport.ts';

/** Age at which an undelivered mail is given up, in ms: its links have expired by then. */
const maxAgeMs = 86_400_000;

type MailContext = Pick<WorkerContext, 'config' | 'db' | 'log'>;

/**
 * Sends a mail and records that it was sent. If it is not accepted, it is tried again later or given up. A mail to a seller whose
 * mail comes back is not sent, unless the seller has just asked for it.
 * @param mail claimed by this worker
 */
export async function deliverMail(
  context: MailContext,
  transport: MailTransport,
  mail: MailRow,
): Promise<void> {
  const reason = await suppressionOf(context, mail);
  if (reason !== null) {
    mailAttempts.inc({ outcome: 'suppressed' });
    await suppressMail(context.db, mail, reason, context.config.retention.sentMails);
    return;
  }
  const { _id: id, to, subject, text, html, reply_to: replyTo, important, attachment, unsubscribe } = mail;
  try {
    if (text === null || html === null) throw new MailError('The mail has no text', { permanent: true });
    await transport.send({ id, to, subject, text, html, replyTo, important, attachment, unsubscribe });
  } catch (error) {
    await recordIfDead(context, mail, error);
    await retryOrGiveUp(context, mail, error as Error);
    return;
  }
  mailAttempts.inc({ outcome: 'sent' });
  await endMail(context.db, mail, context.config.retention.sentMails);
}

/** @returns why a mail must not be sent; null if it may. Asked when it is sent, so that it holds for mails that waited as well */
async function suppressionOf({ db }: MailContext, { to, kind }: MailRow): Promise<string | null> {
  const treatment = treatmentOf(kind);
  const profile = treatment === 'to us' || treatment === 'tried' ? null : await findUnreachable(db, to);
  if (!profile) return null;
  if (treatment === 'tried once' && (await takeTry(db, profile))) return null;
  return `Not sent: mail to this address comes back (${profile.unreachable?.reason}).`;
}

/** Records a refusal of the recipient for good. */
async function recordIfDead(context: MailContext, { to, kind }: MailRow, error: unknown): Promise<void> {
  if (treatmentOf(kind) === 'to us' || !(error instanceof MailError)) return;
  const { permanent, aboutRecipient, responseCode = 0, message: reason } = error;
  if (!permanent || !aboutRecipient || !saysAddressIsDead(responseCode, reason)) return;
  await recordBounce(context, to, { kind: 'bounce', reason, source: 'sending' });
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
