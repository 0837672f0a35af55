import { countLabel } from '#shared/mail/labels.ts';
import { button, composeMail, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';

/** To an address whose mail came back, when its owner says that it works again. @param data hours: how long the link works */
export function confirmReachable(data: { fullName: string; link: string; hours: number }): MailContent {
  return composeMail({
    subject: 'Confirm that our email reaches you',
    heading: 'Confirm that our email reaches you',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Our email to this address came back. If you can read this one, confirm it to get our email again.',
      ),
      button('Confirm my email', data.link),
      smallPrint(`This link works for ${countLabel(data.hours, 'hour')}.`),
    ],
  });
}
