import { composeMail, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';

/** After an account was deleted, to the address that it had. */
export function accountDeleted(data: { fullName: string }): MailContent {
  return composeMail({
    subject: 'Your account was deleted',
    heading: 'Your account was deleted',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account is gone, with your photos, your images and your settings. It cannot be brought back, and nothing more will be charged.',
      ),
      paragraph('Thank you for having been with us. You are welcome back at any time.'),
      smallPrint('If it was not you, somebody knew your password: change it wherever else you use it.'),
    ],
  });
}
