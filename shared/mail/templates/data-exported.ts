import { dateLabel } from '#shared/mail/labels.ts';
import { composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After all data of an account was asked for with the password. @param data address: the IP address */
export function dataExported(data: {
  fullName: string;
  at: Date;
  device: string;
  address: string;
  resetLink: string;
}): MailContent {
  return composeMail({
    subject: 'Your data was exported',
    heading: 'Your data was exported',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Someone entered the password of your Packshot account and downloaded everything in it: your details, photos and images. If this was you, no action is needed.',
      ),
      facts(
        ['When', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      smallPrint(
        "If this wasn't you, somebody knows your password. Choose a new one now:",
        'Reset your password',
        data.resetLink,
      ),
    ],
  });
}
