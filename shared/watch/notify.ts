import { hasOpenMail } from '#shared/data/mails.ts';
import {
  type AlertChannel,
  type AlertNotice,
  type AlertRow,
  alertChannels,
  listAlerts,
  noticePrefix,
  removeNotice,
} from '#shared/data/operator/alerts.ts';
import { hasOpenWebhookCall, insertWebhookCall } from '#shared/data/operator/webhook-calls.ts';
import { type AlertNews, webhookBody } from '#shared/mail/alert-message.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { WatchContext } from './context.ts';

/** The outbox of a channel. */
interface Outbox {
  /** Whether other news whose id begins so are in it, neither delivered nor given up. */
  hasOpen(context: WatchContext, prefix: string, id: string): Promise<boolean>;
  /** Takes the same news once. */
  put(context: WatchContext, news: AlertNews): Promise<void>;
}

const mailPrefix = 'alert.';

const outboxes: Readonly<Record<AlertChannel, Outbox>> = {
  mail: {
    hasOpen: ({ db }, prefix, id) => hasOpenMail(db, mailPrefix + prefix, mailPrefix + id),
    async put({ db, relay, config }, news) {
      const mail = { ...news, link: `${config.linkUrl}/operator` };
      const options = { id: `${mailPrefix}${news.id}`, important: news.event !== 'ended' };
      await enqueueMail(db, relay, 'alert', config.alerts.address!, mail, options);
    },
  },
  webhook: {
    hasOpen: ({ db }, prefix, id) => hasOpenWebhookCall(db, prefix, id),
    put: ({ db, config }, news) => insertWebhookCall(db, news.id, webhookBody(news, config.linkUrl)),
  },
};

/** With more notices than this, none waits for the one before: a receiver that never answers must not pile them up. */
const mostWaiting = 20;

/**
 * Puts what must be told about alerts into the outboxes of mails and of the webhook, each event of an alert once the one before
 * was delivered or given up: so they arrive in the order in which they happened. After a crash it is repeated; both outboxes
 * take the same news once.
 * @returns how many news were put into an outbox
 */
export async function tellAlerts(context: WatchContext): Promise<number> {
  const { address, webhookUrl } = context.config.alerts;
  const isUsed = { mail: address !== undefined, webhook: webhookUrl !== undefined };
  let told = 0;
  for (const alert of await listAlerts(context.db)) {
    for (const channel of alertChannels) {
      const notices = alert.notices.filter((notice) => notice.channel === channel);
      if (isUsed[channel]) told += await tellInOrder(context, alert, notices, outboxes[channel]);
      else for (const notice of notices) await removeNotice(context.db, alert._id, notice);
    }
  }
  return told;
}

/** @param notices of one channel. @returns how many of them were put into its outbox */
async function tellInOrder(
  context: WatchContext,
  { _id: alert }: AlertRow,
  notices: readonly AlertNotice[],
  outbox: Outbox,
): Promise<number> {
  let told = 0;
  for (const [index, notice] of notices.entries()) {
    const { id, event, at, since, details } = notice;
    // A reminder that has waited says nothing beside what has happened since.
    if (event !== 'reminder' || index === notices.length - 1) {
      const waits = notices.length <= mostWaiting && (await outbox.hasOpen(context, noticePrefix(alert), id));
      if (waits) return told;
      await outbox.put(context, { id, alert, event, at, since, details });
      told += 1;
    }
    await removeNotice(context.db, alert, notice);
  }
  return told;
}
