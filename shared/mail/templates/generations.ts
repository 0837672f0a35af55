/** Mails about generations. */
import { button, composeMail, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/**
 * When a generation ends, for sellers who want to be told.
 * @param data.reason the sentence that the failed generation shows; left out or empty, a general one stands in
 */
export function generationEnded(data: {
  fullName: string;
  productName: string;
  outcome: 'succeeded' | 'failed';
  reason?: string | undefined;
  link: string;
  settingsLink: string;
}): MailContent {
  const product = oneLine(data.productName);
  const whyMail = smallPrint(
    'You asked to be told by mail when a generation ends.',
    'Change this',
    data.settingsLink,
  );
  if (data.outcome === 'succeeded') {
    return composeMail({
      subject: `Your image is ready: ${product}`,
      heading: 'Your image is ready',
      fullName: data.fullName,
      blocks: [
        paragraph(`The studio image of “${product}” is done. Have a look and download it whenever you like.`),
        button('See the image', data.link),
        whyMail,
      ],
    });
  }
  return composeMail({
    subject: `Your image could not be made: ${product}`,
    heading: 'Your image could not be made',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `We are sorry: the studio image of “${product}” did not work out, and nothing was taken off your plan for it.`,
      ),
      paragraph(oneLine(data.reason ?? '') || 'Something went wrong on our side.'),
      button('See the generation', data.link),
      whyMail,
    ],
  });
}
