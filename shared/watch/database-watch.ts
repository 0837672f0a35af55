import { type AlertNews, webhookBody } from '#shared/mail/alert-message.ts';
import type { WatchContext } from './context.ts';
import { postToWebhook } from './webhook.ts';

/** For how long MongoDB must be away before it is told, in ms. */
const awayMs = 60_000;

/** Notices that MongoDB is away. What is told about it cannot wait in MongoDB: it goes to the log and the webhook at once. */
export interface DatabaseWatch {
  /** Records whether MongoDB took a write. @param error undefined if it did */
  record(error: unknown): void;
}

/** What is not told yet, at most: an outage has two. */
const mostWaiting = 20;

/**
 * Each process tells by itself, once when it begins and once when it ends, in this order. What the webhook did not accept is
 * tried again with the next report.
 * @param afterMs for how long it must be away
 */
export function watchDatabase(
  { config, log }: Pick<WatchContext, 'config' | 'log'>,
  afterMs = awayMs,
): DatabaseWatch {
  const { webhookUrl } = config.alerts;
  const waiting: AlertNews[] = [];
  let since: Date | undefined;
  let told = false;
  let telling = false;

  function add(event: 'began' | 'ended', began: Date, details: string): void {
    if (webhookUrl === undefined || waiting.length >= mostWaiting) return;
    const at = new Date();
    const id = `store-away.${event}.${at.toISOString()}.${process.pid}`;
    waiting.push({ id, alert: 'store-away', event, at, since: began, details });
  }

  async function tellWaiting(): Promise<void> {
    if (telling) return;
    telling = true;
    try {
      for (let news = waiting[0]; news !== undefined; news = waiting[0]) {
        await postToWebhook(webhookUrl!, news.id, webhookBody(news, config.linkUrl));
        waiting.shift();
      }
    } catch (error) {
      log.error({ failure: (error as Error).message }, 'the alert webhook was not told about MongoDB yet');
    } finally {
      telling = false;
    }
  }

  function judge(error: unknown): void {
    if (error === undefined) {
      if (since && told) {
        log.info({ since }, 'MongoDB answers again');
        add('ended', since, 'MongoDB answers again.');
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
    add('began', since, `MongoDB does not answer: ${message.slice(0, 500)}`);
  }

  return {
    record(error) {
      judge(error);
      void tellWaiting();
    },
  };
}
