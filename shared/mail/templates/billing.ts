/** Mails about paying. */

import { inWords } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** When a payment fails. @param data.graceUntil until when images can still be made; null when they cannot */
export function paymentFailed(data: {
  fullName: string;
  graceUntil: Date | null;
  portalLink: string;
}): MailContent {
  return composeMail({
    subject: 'Your payment did not go through',
    heading: 'Your payment did not go through',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'We could not charge the card for your Packshot subscription. Often the card has expired or the bank has declined it.',
      ),
      ...(data.graceUntil === null
        ? [paragraph('You cannot make new images until a payment succeeds. What you have made stays yours.')]
        : [
            paragraph('You can go on making images for now. Please check your card before this ends:'),
            facts(['You can make images until', inWords(data.graceUntil)]),
          ]),
      button('Check my card', data.portalLink),
      smallPrint(
        'If you have just changed the card, there is nothing more to do: we try again by ourselves.',
      ),
    ],
  });
}

/** When a subscription has come to its end. */
export function subscriptionEnded(data: {
  fullName: string;
  planName: string;
  subscribeLink: string;
}): MailContent {
  return composeMail({
    subject: 'Your subscription has ended',
    heading: 'Your subscription has ended',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `Your ${oneLine(data.planName)} plan has come to its end, and nothing more will be charged. Thank you for having been with us.`,
      ),
      paragraph(
        'Your account and the images you have made stay where they are. To make new ones, subscribe again.',
      ),
      button('Subscribe again', data.subscribeLink),
    ],
  });
}
