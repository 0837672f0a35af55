import { dateLabel } from '#shared/mail/labels.ts';
import { composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/**
 * After all data of an account was exported.
 * @param data from: where the password was given, with the IP address; null if our support exported it on request
 */
export function dataExported(data: {
  fullName: string;
  at: Date;
  from: { device: string; address: string; resetLink: string } | null;
}): MailContent {
  const { from } = data;
  return composeMail({
    subject: 'Your data was exported',
    heading: 'Your data was exported',
    fullName: data.fullName,
    blocks: [
      ...(from === null
        ? [
            paragraph(
              'We received a request for a copy of your data. Our support exported everything in your Packshot account: your details, photos and images.',
            ),
            facts(['When', dateLabel(data.at)]),
            smallPrint("If you didn't ask for this, answer this email."),
          ]
        : [
            paragraph(
              'Someone entered the password of your Packshot account and downloaded everything in it: your details, photos and images. If this was you, no action is needed.',
            ),
            facts(
              ['When', dateLabel(data.at)],
              ['Device', oneLine(from.device)],
              ['IP address', oneLine(from.address)],
            ),
            smallPrint(
              "If this wasn't you, somebody knows your password. Choose a new one now:",
              'Reset your password',
              from.resetLink,
            ),
          ]),
    ],
  });
}
