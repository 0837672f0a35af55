import { setTimeout as wait } from 'node:timers/promises';
import { claimMail, type MailRow } from '#shared/data/mails.ts';
import type { WorkerContext } from '#worker/context.ts';
import { createCoalescedTask } from '#worker/flow/coalesced-task.ts';
import { deliverMail } from './deliver-mail.ts';
import { createMailTransport } from './transport.ts';

/** Mails that one worker sends at the same time. */
const maxConcurrent = 5;

/** Lease of a mail, in ms: longer than the timeouts of the transport. */
const leaseMs = 120_000;

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
  const claiming = createCoalescedTask(claimDueMails, (error) =>
    log.warn({ err: error }, 'the outbox was not read'),
  );

  /** Claims mails until none is due or `maxConcurrent` are being sent. */
  async function claimDueMails(): Promise<void> {
    while (!claiming.isStopped() && sending.size < maxConcurrent) {
      const mail = await claimMail(db, leaseMs);
      if (!mail) return;
      send(mail);
    }
  }

  function send(mail: MailRow): void {
    const delivery = deliverMail({ config, db, log }, transport, mail)
      .catch((error) => log.error({ err: error, mail: mail._id }, 'the outcome of a mail was not recorded'))
      .finally(() => {
        // Otherwise the last claim found nothing that was due.
        const wasFull = sending.size >= maxConcurrent;
        sending.delete(delivery);
        if (wasFull) claiming.request();
      });
    sending.add(delivery);
  }

  return {
    nudge: claiming.request,
    async stop() {
      await claiming.stop();
      // Mails that take longer are sent by another worker when their lease has expired.
      await Promise.race([Promise.all(sending), wait(config.worker.graceMs, undefined, { ref: false })]);
      transport.close();
    },
  };
}
