import { setTimeout as wait } from 'node:timers/promises';
import type { MailRow } from '#shared/data/mails.ts';
import { claimMail, delayMail, endMail } from '#shared/data/mails.ts';
import { retryDelayMs } from '#shared/platform/retry.ts';
import type { WorkerContext } from '#worker/context.ts';
import { createMailTransport, MailError } from './transport.ts';

/** Mails that one worker sends at the same time. */
const maxConcurrent = 5;

/** Lease of a mail, in ms: longer than the timeouts of the transport. */
const leaseMs = 120_000;

/** Age at which an undelivered mail is given up, in ms: its links have expired by then. */
const maxAgeMs = 86_400_000;

/** Sends the mails in the outbox. */
export interface MailDelivery {
  /** Checks for mails that are due. */
  nudge(): void;
  /** Stops claiming mails and waits for those being sent, within the worker's grace period. */
  stop(): Promise<void>;
}

/**
 * Starts sending the mails in the outbox; each mail is claimed by one worker. Delivery is at-least-once: if a worker dies
 * after sending a mail and before recording it, the mail is sent again with the same Message-ID.
 */
export function startMailDelivery({
  config,
  db,
  log,
}: Pick<WorkerContext, 'config' | 'db' | 'log'>): MailDelivery {
  const transport = createMailTransport(config.mail);
  const sending = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let stopped = false;

  /** Claims mails until none is due or `maxConcurrent` are being sent. */
  async function look(): Promise<void> {
    do {
      lookAgain = false;
      while (!stopped && sending.size < maxConcurrent) {
        const mail = await claimMail(db, leaseMs);
        if (!mail) break;
        const delivery = deliver(mail)
          .catch((error) =>
            log.error({ err: error, mail: mail._id }, 'the outcome of a mail was not recorded'),
          )
          .finally(() => {
            sending.delete(delivery);
            nudge();
          });
        sending.add(delivery);
      }
    } while (lookAgain);
  }

  function nudge(): void {
    lookAgain = true;
    if (stopped || looking) return;
    looking = look()
      .catch((error) => log.warn({ err: error }, 'the outbox was not read'))
      .finally(() => {
        looking = undefined;
      });
  }

  async function deliver(mail: MailRow): Promise<void> {
    const { _id: id, to, subject, text, html } = mail;
    try {
      if (text === null || html === null) throw new MailError('The mail has no text', { permanent: true });
      await transport.send({ id, to, subject, text, html });
    } catch (error) {
      await retryOrGiveUp(mail, error as Error);
      return;
    }
    await endMail(db, mail, null);
  }

  async function retryOrGiveUp(mail: MailRow, error: Error): Promise<void> {
    const refused = error instanceof MailError && error.permanent;
    if (refused || Date.now() - mail.created_at.getTime() > maxAgeMs) {
      log.error({ err: error, mail: mail._id, attempts: mail.attempts }, 'a mail was given up');
      await endMail(db, mail, error.message);
      return;
    }
    const delayMs = retryDelayMs(mail.attempts);
    log.warn({ err: error, mail: mail._id, delayMs }, 'a mail is tried again later');
    await delayMail(db, mail, delayMs, error.message);
  }

  return {
    nudge,
    async stop() {
      stopped = true;
      await looking;
      // Mails that take longer are sent by another worker when their lease has expired.
      await Promise.race([Promise.all(sending), wait(config.worker.graceMs, undefined, { ref: false })]);
      transport.close();
    },
  };
}
