/** Mails about webhooks. */
import { button, composeMail, type MailContent, paragraph } from '#shared/mail/layout.ts';
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
