import { listAlerts, removeNotice } from '#shared/data/operator/alerts.ts';
import { insertWebhookCall } from '#shared/data/operator/webhook-calls.ts';
import { type AlertNews, webhookBody } from '#shared/mail/alert-message.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { WatchContext } from './context.ts';

/**
 * Puts what must be told about alerts into the outboxes of mails and of the webhook. After a crash it is repeated; both
 * outboxes take the same news once.
 * @returns how many news there were
 */
export async function tellAlerts({ db, relay, config }: WatchContext): Promise<number> {
  const { address, webhookUrl } = config.alerts;
  let told = 0;
  for (const { _id: alert, notices } of await listAlerts(db)) {
    for (const { id, event, at, since, details } of notices) {
      const news: AlertNews = { id, alert, event, at, since, details };
      if (address !== undefined) {
        const mail = { ...news, link: `${config.linkUrl}/operator` };
        await enqueueMail(db, relay, 'alert', address, mail, {
          id: `alert.${id}`,
          important: event !== 'ended',
        });
      }
      if (webhookUrl !== undefined) await insertWebhookCall(db, id, webhookBody(news, config.linkUrl));
      await removeNotice(db, alert, id);
      told += 1;
    }
  }
  return told;
}
