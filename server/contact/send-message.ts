import { createHash } from 'node:crypto';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { MailData } from '#shared/mail/index.ts';
import { normalisedAddress } from '#shared/mail/normalised-address.ts';
import { enqueueMail, type MailOptions } from '#shared/mail/outbox.ts';

/** A message to us from anybody, and its confirmation to the sender. */
export interface Message<Kind extends 'contactMessage' | 'application'> {
  kind: Kind;
  data: MailData<Kind>;
  /** The kind of the confirmation, and its data. */
  confirmation: {
    [Confirmation in 'contactReceived' | 'applicationReceived']: {
      kind: Confirmation;
      data: MailData<Confirmation>;
    };
  }['contactReceived' | 'applicationReceived'];
  /** What makes it the same message if it is sent again, for example because the answer was lost. */
  content: readonly string[];
  options?: Pick<MailOptions, 'important' | 'attachment'>;
}

/**
 * Creates the function that puts a message to us and its confirmation into the outbox. The same message is sent once a
 * day, however often it comes. Confirmations are limited for each mailbox, because anybody can enter that of a stranger.
 */
export function createMessageSender({ db, relay, config }: ServerContext) {
  const confirmations = createRateLimit(db, {
    name: 'confirmations',
    points: limits.confirmationsAnHour,
    seconds: 3_600,
  });
  return async <Kind extends 'contactMessage' | 'application'>(message: Message<Kind>): Promise<void> => {
    const { kind, data, confirmation, options = {} } = message;
    const { email, at } = data as { email: string; at: Date };
    const day = at.toISOString().slice(0, 10);
    const id = createHash('sha256')
      .update(JSON.stringify([kind, email, day, ...message.content]))
      .digest('hex');
    await enqueueMail(db, relay, kind, config.mail.contactAddress, data, {
      ...options,
      id: `message-${id}`,
      replyTo: email,
    });
    if (!(await confirmations.allows(normalisedAddress(email)))) return;
    await enqueueMail(db, relay, confirmation.kind, email, confirmation.data, { id: `confirmation-${id}` });
  };
}
