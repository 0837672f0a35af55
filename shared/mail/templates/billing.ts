/** Mails about payments. */

import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** When a payment fails. @param data graceUntil: end of the grace period; null without one */
export function paymentFailed(data: {
  fullName: string;
  graceUntil: Date | null;
  portalLink: string;
}): MailContent {
  return composeMail({
    subject: "Your payment didn't go through",
    heading: "Your payment didn't go through",
    fullName: data.fullName,
    blocks: [
      paragraph(
        "We couldn't charge the card for your Packshot subscription. The card may have expired, or the bank declined it.",
      ),
      ...(data.graceUntil === null
        ? [
            paragraph(
              "You can't create new images until a payment succeeds. Your existing images stay available.",
            ),
          ]
        : [
            paragraph('You can still create images for now. Please update your card before then:'),
            facts(['You can create images until', dateLabel(data.graceUntil)]),
          ]),
      button('Update my card', data.portalLink),
      smallPrint(
        'If you have just updated your card, no action is needed: we retry the payment automatically.',
      ),
    ],
  });
}

/**
 * When a subscription has ended.
 * @param data imagesEndAt: when the images are deleted; null for never. subscribeLink: null for an account that is disabled
 */
export function subscriptionEnded(data: {
  fullName: string;
  planName: string;
  imagesEndAt: Date | null;
  subscribeLink: string | null;
}): MailContent {
  return composeMail({
    subject: 'Your subscription has ended',
    heading: 'Your subscription has ended',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `Your ${oneLine(data.planName)} plan has ended, and you will not be charged again. Thanks for using Packshot.`,
      ),
      ...(data.subscribeLink === null
        ? forDisabled(data.imagesEndAt)
        : forSeller(data.imagesEndAt, data.subscribeLink)),
    ],
  });
}

/** Somebody who cannot sign in cannot download anything either. */
function forDisabled(imagesEndAt: Date | null) {
  return [
    ...(imagesEndAt === null ? [] : [facts(['Your images are kept until', dateLabel(imagesEndAt)])]),
    paragraph(
      'Your account is still disabled. If you have a question, or would like a copy of your data, answer this email.',
    ),
  ];
}

function forSeller(imagesEndAt: Date | null, subscribeLink: string) {
  return [
    ...(imagesEndAt === null
      ? [paragraph('Your account and your images stay available. To create new images, subscribe again.')]
      : [
          paragraph(
            'Your account stays available, and so do your images for now. Without a new subscription they are deleted. Please download those that you want to keep before then:',
          ),
          facts(['Your images are kept until', dateLabel(imagesEndAt)]),
        ]),
    button('Subscribe again', subscribeLink),
  ];
}
