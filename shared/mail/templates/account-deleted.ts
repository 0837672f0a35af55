import { composeMail, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';

/** After an account was deleted, to its former address. */
export function accountDeleted(data: { fullName: string }): MailContent {
  return composeMail({
    subject: 'Your account was deleted',
    heading: 'Your account was deleted',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account was deleted, with your photos, images and settings. It cannot be restored, and you will not be charged again.',
      ),
      paragraph('Thanks for using Packshot. You are welcome back at any time.'),
      smallPrint("If this wasn't you, someone knows your password. Change it wherever else you use it."),
    ],
  });
}
