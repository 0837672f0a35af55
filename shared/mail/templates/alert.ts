/** Mails to the operators about alerts. */

import { alertNames, runbookOf } from '#contract';
import { type AlertNews, headingOf } from '#shared/mail/alert-message.ts';
import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** When an alert begins, lasts or ends. @param data link: the operator's page */
export function alert(data: AlertNews & { link: string }): MailContent {
  const heading = headingOf(data);
  const over = data.event === 'ended';
  return composeMail({
    subject: `[Packshot] ${heading}`,
    heading,
    greeting: null,
    footer: 'You get this email because this installation sends its alerts to your address.',
    blocks: [
      paragraph(oneLine(data.details)),
      facts(
        ['Alert', alertNames[data.alert]],
        ['Began', dateLabel(data.since)],
        [over ? 'Ended' : 'Now', dateLabel(data.at)],
        ['What to do', runbookOf(data.alert)],
      ),
      button('Open the operator page', data.link),
    ],
  });
}
