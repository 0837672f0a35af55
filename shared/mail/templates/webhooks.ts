/** Mails about webhooks. */
import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** When a webhook is switched off: its tries failed for days, or it answered that it is gone. */
export function webhookOff(data: {
  fullName: string;
  /** Of its address: the whole one may be long, and is nothing to click on. */
  host: string;
  reason: 'failing' | 'gone';
  days: number;
  link: string;
}): MailContent {
  const host = oneLine(data.host);
  const why =
    data.reason === 'gone'
      ? `Your webhook at ${host} answered 410 (Gone), which asks us to send nothing more.`
      : `Your webhook at ${host} has accepted nothing that we sent for ${data.days} days.`;
  return composeMail({
    subject: 'We switched off one of your webhooks',
    heading: 'A webhook was switched off',
    fullName: data.fullName,
    blocks: [
      paragraph(why),
      paragraph(
        'It gets no events until you switch it on again. What was sent and what it answered is in Account Settings, where you can send it again.',
      ),
      button('See the webhook', data.link),
    ],
  });
}

/** After a webhook was made, or got another address. @param address the IP address that did it */
export function webhookMade(data: {
  fullName: string;
  /** Of its address. */
  host: string;
  /** What it is told, in words. */
  events: readonly string[];
  at: Date;
  device: string;
  address: string;
  link: string;
}): MailContent {
  return composeMail({
    subject: 'A webhook was set up for your account',
    heading: 'A webhook was set up for your account',
    fullName: data.fullName,
    blocks: [
      paragraph('From now on this server is told what happens in your Packshot account.'),
      facts(
        ['Server', oneLine(data.host)],
        ['It is told', data.events.join('; ')],
        ['Set up', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      button('See my webhooks', data.link),
      smallPrint(
        "If this wasn't you, delete the webhook and reset your password now. That ends every session, and removes API keys and webhooks that were made lately.",
      ),
    ],
  });
}
