/** Mails about an account that an operator disabled or enabled. */

import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After the billing of a disabled account was ended. @param data ended: whether `endsAt` is past */
export function accountDisabled(data: {
  fullName: string;
  planName: string;
  endsAt: Date;
  ended: boolean;
}): MailContent {
  const planName = oneLine(data.planName);
  return composeMail({
    subject: 'Your account has been disabled',
    heading: 'Your account has been disabled',
    fullName: data.fullName,
    blocks: [
      paragraph('Your Packshot account has been disabled, so you cannot sign in any more.'),
      paragraph(
        data.ended
          ? `Your ${planName} plan has ended, and you will not be charged again.`
          : `Your ${planName} plan will not be renewed, and you will not be charged again.`,
      ),
      facts([data.ended ? 'Plan ended' : 'Plan ends', dateLabel(data.endsAt)]),
      paragraph(
        "What you have paid isn't refunded automatically. If you have a question, or would like a copy of your data, answer this email.",
      ),
    ],
  });
}

/** After a disabled account was enabled, and the end of its plan was withdrawn. */
export function accountEnabled(data: {
  fullName: string;
  planName: string;
  renewsAt: Date;
  signInLink: string;
}): MailContent {
  return composeMail({
    subject: 'You can use your account again',
    heading: 'You can use your account again',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `Your Packshot account works again. Your ${oneLine(data.planName)} plan renews as before. You can cancel it under Plan & billing in your account settings.`,
      ),
      facts(['Plan renews', dateLabel(data.renewsAt)]),
      button('Sign in', data.signInLink),
    ],
  });
}
