import { setTimeout as wait } from 'node:timers/promises';
import type { MailRow } from '#shared/data/mails.ts';
import { claimMail, delayMail, endMail } from '#shared/data/mails.ts';
import { retryDelayMs } from '#shared/platform/retry.ts';
import type { WorkerContext } from '#worker/context.ts';
import { createMailTransport, MailError } from './transport.ts';

/** Mails that one worker has under way at a time. */
const mostAtOnce = 5;

/** How long a claim on a mail lasts, in ms: longer than the slowest answer of a mail server that is waited for. */
const claimMs = 120_000;

/** A mail that nobody took for this long is given up, in ms: its links are old by then. */
const giveUpMs = 86_400_000;

/** Sends what the outbox holds. */
export interface MailDelivery {
  /** Looks for mails that are due. */
  nudge(): void;
  /** Sends no more, and waits for what is under way, within the worker's time of grace. */
  stop(): Promise<void>;
}

/**
 * Starts sending the mails of the outbox. Several workers may: each mail is claimed by one. A worker that dies between
 * sending a mail and noting it makes it come twice, with the same Message-ID; none is lost.
 */
export function startMailDelivery({
  config,
  db,
  log,
}: Pick<WorkerContext, 'config' | 'db' | 'log'>): MailDelivery {
  const transport = createMailTransport(config.mail);
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let stopped = false;

  /** Claims mails until none is due or enough are under way; each one that has ended makes room. */
  async function look(): Promise<void> {
    do {
      lookAgain = false;
      while (!stopped && underWay.size < mostAtOnce) {
        const mail = await claimMail(db, claimMs);
        if (!mail) break;
        const delivery = deliver(mail)
          .catch((error) => log.error({ err: error, mail: mail._id }, 'a mail was not noted as sent'))
          .finally(() => {
            underWay.delete(delivery);
            nudge();
          });
        underWay.add(delivery);
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
    if (refused || Date.now() - mail.created_at.getTime() > giveUpMs) {
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
      // What takes longer is taken up by another worker once its claim is over.
      await Promise.race([Promise.all(underWay), wait(config.worker.graceMs, undefined, { ref: false })]);
      transport.close();
    },
  };
}
