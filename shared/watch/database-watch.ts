import { webhookBody } from '#shared/mail/alert-message.ts';
import type { WatchContext } from './context.ts';
import { postToWebhook } from './webhook.ts';

/** For how long MongoDB must be away before it is told, in ms. */
const awayMs = 60_000;

/** Notices that MongoDB is away. What is told about it cannot wait in MongoDB: it goes to the log and the webhook at once. */
export interface DatabaseWatch {
  /** Records whether MongoDB took a write. @param error undefined if it did */
  record(error: unknown): void;
}

/**
 * Each process tells by itself, once when it begins and once when it ends.
 * @param afterMs for how long it must be away
 */
export function watchDatabase(
  { config, log }: Pick<WatchContext, 'config' | 'log'>,
  afterMs = awayMs,
): DatabaseWatch {
  let since: Date | undefined;
  let told = false;

  async function tell(event: 'began' | 'ended', began: Date, details: string): Promise<void> {
    const { webhookUrl } = config.alerts;
    if (webhookUrl === undefined) return;
    const at = new Date();
    const id = `store-away.${event}.${at.toISOString()}.${process.pid}`;
    const body = webhookBody({ id, alert: 'store-away', event, at, since: began, details }, config.linkUrl);
    await postToWebhook(webhookUrl, id, body).catch((error: Error) =>
      log.error({ failure: error.message }, 'the alert webhook was not told about MongoDB'),
    );
  }

  return {
    record(error) {
      if (error === undefined) {
        if (since && told) {
          log.info({ since }, 'MongoDB answers again');
          void tell('ended', since, 'MongoDB answers again.');
        }
        since = undefined;
        told = false;
        return;
      }
      since ??= new Date();
      if (told || Date.now() - since.getTime() < afterMs) return;
      told = true;
      log.error({ err: error, since, alert: 'store-away' }, 'MongoDB does not answer');
      const message = error instanceof Error ? error.message : String(error);
      void tell('began', since, `MongoDB does not answer: ${message.slice(0, 500)}`);
    },
  };
}
