/** Mails about generations. */
import { button, composeMail, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/**
 * When a generation ends, for sellers who turned email notifications on.
 * @param data reason: why it failed, as the seller reads it; without it a general sentence is used
 */
export function generationEnded(data: {
  fullName: string;
  productName: string;
  outcome: 'succeeded' | 'failed';
  reason?: string | undefined;
  link: string;
  settingsLink: string;
  unsubscribeLink: string;
}): MailContent {
  const product = oneLine(data.productName);
  const whyMail = [
    smallPrint(
      'You get this email because you turned on email notifications.',
      'Change your settings',
      data.settingsLink,
    ),
    smallPrint("Don't want these emails any more?", 'Turn them off', data.unsubscribeLink),
  ];
  if (data.outcome === 'succeeded') {
    return composeMail({
      subject: `Your image is ready: ${product}`,
      heading: 'Your image is ready',
      fullName: data.fullName,
      blocks: [
        paragraph(`The studio image of “${product}” is ready. You can view and download it at any time.`),
        button('View the image', data.link),
        ...whyMail,
      ],
    });
  }
  return composeMail({
    subject: `We couldn't create your image: ${product}`,
    heading: "We couldn't create your image",
    fullName: data.fullName,
    blocks: [
      paragraph(
        `We're sorry, we couldn't create the studio image of “${product}”. You weren't charged an image.`,
      ),
      paragraph(oneLine(data.reason ?? '') || 'Something went wrong on our side.'),
      button('View the details', data.link),
      ...whyMail,
    ],
  });
}

/**
 * When all images of a batch have ended. Sent also to sellers without email notifications: a batch takes too long to wait
 * for it.
 * @param data outcome: how many images came to what, as a sentence
 */
export function batchEnded(data: {
  fullName: string;
  name: string;
  outcome: string;
  link: string;
}): MailContent {
  const name = oneLine(data.name);
  return composeMail({
    subject: `Your batch is done: ${name}`,
    heading: 'Your batch is done',
    fullName: data.fullName,
    blocks: [
      paragraph(`“${name}”: ${data.outcome} Images that failed or were cancelled were not counted.`),
      paragraph('You can download all images as a ZIP, with a report that says what became of each row.'),
      button('View the batch', data.link),
    ],
  });
}
